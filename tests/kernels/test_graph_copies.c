/* Equal columns against comparing all pairs. */
#include "graph_copies.h"

#include "check.h"
#include "random.h"

static void check_columns(size_t n, size_t count, int values)
{
    double *u = doubles(n * count);
    int *original = integers(count), *want = integers(count);
    int *table = integers(lr_copy_table(count));
    for (size_t i = 0; i < n * count; i++)
        u[i] = random_below(values);
    for (size_t j = 0; j < count; j++) {
        int zero = 1;
        for (size_t i = 0; i < n; i++)
            zero = zero && u[i + j * n] == 0.0;
        want[j] = zero ? -1 : (int)j;
        for (size_t k = j; !zero && k-- > 0;)
            if (memcmp(u + j * n, u + k * n, n * sizeof(double)) == 0)
                want[j] = (int)k;
    }
    lr_find_copies(u, n, count, original, table);
    CHECK_INTS(original, want, count);
    free(u), free(original), free(want), free(table);
}

int main(void)
{
    random_seed(2);
    check_columns(3, 1, 2);
    check_columns(3, 100, 2);
    check_columns(4, 300, 3);
    check_columns(6, 500, 2);
    check_columns(50, 40, 10);
    return check_report();
}
