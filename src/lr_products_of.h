/* Packs, panels and products in one precision. lr_products.c includes this for
 * floats and for doubles, after it has defined NUMBER, a VECTOR of them, LANES
 * (features in a pack) and NAMED(), which ends a name with the type. */

void NAMED(lr_pack)(const double *columns, size_t count, size_t n, NUMBER *pack)
{
    if (count % LANES)
        memset(pack + count / LANES * LANES * n, 0, LANES * n * sizeof(NUMBER));
    for (size_t j = 0; j < count; j++) {
        NUMBER *out = pack + j / LANES * LANES * n + j % LANES;
        const double *x = columns + j * n;
        for (size_t i = 0; i < n; i++)
            out[i * LANES] = (NUMBER)x[i];
    }
}

void NAMED(lr_panel)(const double *const *vector, size_t n_targets, size_t n,
                     NUMBER *panel)
{
    memset(panel, 0, lr_pack_size(n_targets, n, LR_TARGETS) * sizeof(NUMBER));
    for (size_t t = 0; t < n_targets; t++) {
        NUMBER *out = panel + t / LR_TARGETS * LR_TARGETS * n + t % LR_TARGETS;
        for (size_t i = 0; i < n; i++)
            out[i * LR_TARGETS] = (NUMBER)vector[t][i];
    }
}

/* A register tile, 4 targets x 2 vectors of features: it loads two vectors of
 * packed features and broadcasts four targets per sample; its eight
 * accumulators stay in registers over all samples. */
static void NAMED(tile)(const NUMBER *pack, const NUMBER *panel, size_t n,
                        NUMBER *out, size_t ld)
{
    enum { W = sizeof(VECTOR) / sizeof(NUMBER) };
    VECTOR a0 = {0}, b0 = {0}, a1 = {0}, b1 = {0};
    VECTOR a2 = {0}, b2 = {0}, a3 = {0}, b3 = {0};
    for (size_t i = 0; i < n; i++, pack += LANES, panel += LR_TARGETS) {
        VECTOR p = *(const VECTOR *)pack, q = *(const VECTOR *)(pack + W);
        a0 += p * panel[0]; b0 += q * panel[0];
        a1 += p * panel[1]; b1 += q * panel[1];
        a2 += p * panel[2]; b2 += q * panel[2];
        a3 += p * panel[3]; b3 += q * panel[3];
    }
    *(VECTOR *)out = a0; *(VECTOR *)(out + W) = b0;
    *(VECTOR *)(out + ld) = a1; *(VECTOR *)(out + ld + W) = b1;
    *(VECTOR *)(out + 2 * ld) = a2; *(VECTOR *)(out + 2 * ld + W) = b2;
    *(VECTOR *)(out + 3 * ld) = a3; *(VECTOR *)(out + 3 * ld + W) = b3;
}

/* One panel meets all packs before the next one: the panel stays in the first
 * cache, the packs come from the second. */
void NAMED(lr_products)(const NUMBER *pack, size_t count, size_t n,
                        const NUMBER *panel, size_t n_targets, NUMBER *out,
                        size_t ld)
{
    enum { STEP = 2 * sizeof(VECTOR) / sizeof(NUMBER) };
    for (size_t t = 0; t < n_targets; t += LR_TARGETS)
        for (size_t j = 0; j < count; j += STEP)
            NAMED(tile)(pack + j / LANES * LANES * n + j % LANES, panel + t * n,
                        n, out + t * ld + j, ld);
}
