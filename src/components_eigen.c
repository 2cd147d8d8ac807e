/* Eigenvalues and eigenvectors of a dense symmetric matrix. */
#include "components_eigen.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "lr_products.h"
#include "lr_vector.h"

enum { MOST_SWEEPS = 60 };

/* ---- to a tridiagonal matrix --------------------------------------------- */

/* Turns x into the Householder vector v (v[0] = 1 is not stored) that leaves
 * only its first entry, which is returned; *beta is 0 when nothing is to do. */
static double householder(double *x, size_t n, double *beta)
{
    double largest = 0.0, rest = 0.0, first = x[0];
    *beta = 0.0;
    for (size_t i = 1; i < n; i++)
        largest = fmax(largest, fabs(x[i]));
    if (largest == 0.0)
        return first;
    largest = fmax(largest, fabs(first));
    for (size_t i = 1; i < n; i++)
        rest += (x[i] / largest) * (x[i] / largest);
    double f = first / largest, length = sqrt(f * f + rest);
    /* the sign that does not cancel */
    double head = f > 0.0 ? f + length : f - length;
    *beta = 2.0 * head * head / (rest + head * head);
    for (size_t i = 1; i < n; i++)
        x[i] = x[i] / largest / head;
    x[0] = 1.0;
    return f > 0.0 ? -length * largest : length * largest;
}

/* a = (a - f x) - g y */
static void subtract_two(double *a, double f, const double *x, double g,
                         const double *y, size_t n)
{
    size_t i = 0;
    for (; i + LR_DOUBLES <= n; i += LR_DOUBLES)
        *(lr_doubles *)(a + i) = *(lr_doubles *)(a + i)
            - f * *(const lr_doubles *)(x + i)
            - g * *(const lr_doubles *)(y + i);
    for (; i < n; i++)
        a[i] = a[i] - f * x[i] - g * y[i];
}

/* A <- H A H of the m x m corner at a (columns of length n), H = I - beta v
 * v'. */
static void reflect_both_sides(double *a, size_t n, size_t m, const double *v,
                               double beta, double *w)
{
    double along = 0.0;
    memset(w, 0, m * sizeof(double));
    for (size_t j = 0; j + 1 < m; j += 2)
        subtract_two(w, -v[j], a + j * n, -v[j + 1], a + (j + 1) * n, m);
    if (m % 2 > 0)
        lr_subtract(w, -v[m - 1], a + (m - 1) * n, m);
    for (size_t i = 0; i < m; i++)
        along += w[i] * v[i];
    for (size_t i = 0; i < m; i++)
        w[i] = beta * (w[i] - 0.5 * beta * along * v[i]);
    for (size_t j = 0; j < m; j++)
        subtract_two(a + j * n, w[j], v, v[j], w, m);
}

/* The Householder vectors stay in the columns of a, their beta in `beta`. */
static void tridiagonalize(double *a, size_t n, double *diagonal, double *off,
                           double *beta, double *w)
{
    for (size_t k = 0; k + 1 < n; k++) {
        double *v = a + (k + 1) + k * n;
        diagonal[k] = a[k + k * n];
        off[k] = householder(v, n - k - 1, beta + k);
        if (beta[k] != 0.0)
            reflect_both_sides(a + (k + 1) * (n + 1), n, n - k - 1, v, beta[k],
                               w);
    }
    diagonal[n - 1] = a[n * n - 1];
    off[n - 1] = 0.0;
}

/* The vectors of the tridiagonal matrix to those of A. */
static void back_transform(const double *a, size_t n, const double *beta,
                           double *vectors)
{
    for (size_t k = n - 1; k-- > 0;) {
        const double *v = a + (k + 1) + k * n;
        size_t m = n - k - 1;
        if (beta[k] == 0.0)
            continue;
        for (size_t j = 0; j < n; j++) {
            double *x = vectors + (k + 1) + j * n;
            lr_subtract(x, beta[k] * lr_dot(v, x, m), v, m);
        }
    }
}

/* Rows from `first` on of the identity, times the reflections: by columns. */
static void last_rows(const double *a, size_t n, const double *beta,
                      size_t first, double *rows)
{
    size_t count = n - first;
    memset(rows, 0, count * n * sizeof(double));
    for (size_t r = 0; r < count; r++)
        rows[r + (first + r) * count] = 1.0;
    for (size_t k = 0; k + 1 < n; k++) {
        const double *v = a + (k + 1) + k * n;
        for (size_t r = 0; r < count && beta[k] != 0.0; r++) {
            double *x = rows + r + (k + 1) * count, sum = 0.0;
            for (size_t i = 0; i < n - k - 1; i++)
                sum += x[i * count] * v[i];
            for (size_t i = 0; i < n - k - 1; i++)
                x[i * count] -= beta[k] * sum * v[i];
        }
    }
}

/* ---- QL ------------------------------------------------------------------ */

/* Columns x and y of the vectors transposed by the angle of (c, s). */
static void rotate(double *x, double *y, size_t n, double c, double s)
{
    size_t i = 0;
    for (; i + LR_DOUBLES <= n; i += LR_DOUBLES) {
        lr_doubles left = *(lr_doubles *)(x + i), *to = (lr_doubles *)(y + i);
        *(lr_doubles *)(x + i) = c * left - s * *to;
        *to = s * left + c * *to;
    }
    for (; i < n; i++) {
        double right = y[i];
        y[i] = s * x[i] + c * right;
        x[i] = c * x[i] - s * right;
    }
}

/* One implicit sweep from entry `last` up to `first`. */
static void sweep(double *d, double *e, size_t first, size_t last,
                  double *vectors, size_t rows)
{
    double g = (d[first + 1] - d[first]) / (2.0 * e[first]);
    double r = hypot(g, 1.0), s = 1.0, c = 1.0, p = 0.0;
    g = d[last] - d[first] + e[first] / (g + (g < 0.0 ? -r : r));
    for (size_t i = last; i-- > first;) {
        double f = s * e[i], b = c * e[i];
        r = hypot(f, g);
        e[i + 1] = r;
        if (r == 0.0) {
            /* the matrix splits here */
            d[i + 1] -= p;
            e[last] = 0.0;
            return;
        }
        s = f / r;
        c = g / r;
        g = d[i + 1] - p;
        r = (d[i] - g) * s + 2.0 * c * b;
        p = s * r;
        d[i + 1] = g + p;
        g = c * r - b;
        rotate(vectors + i * rows, vectors + (i + 1) * rows, rows, c, s);
    }
    d[first] -= p;
    e[first] = g;
    e[last] = 0.0;
}

/* The first entry from `from` on whose coupling to the next one is nothing. */
static size_t find_split(const double *e, size_t n, size_t from, double nothing)
{
    size_t m = from;
    while (m + 1 < n && fabs(e[m]) > nothing)
        m++;
    return m;
}

/* Couplings below this are rounding of the largest entries. */
static double negligible(const double *d, const double *e, size_t n)
{
    double largest = 0.0;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(d[i]) + fabs(e[i]));
    return DBL_EPSILON / 2.0 * largest;
}

static void largest_first(double *values, double *vectors, size_t n,
                          size_t rows)
{
    for (size_t k = 0; k + 1 < n; k++) {
        size_t best = k;
        for (size_t j = k + 1; j < n; j++)
            if (values[j] > values[best])
                best = j;
        if (best == k)
            continue;
        double value = values[k];
        values[k] = values[best];
        values[best] = value;
        for (size_t i = 0; i < rows; i++) {
            double x = vectors[i + k * rows];
            vectors[i + k * rows] = vectors[i + best * rows];
            vectors[i + best * rows] = x;
        }
    }
}

/* Eigenvalues of the tridiagonal matrix in d, the largest first; the columns of
 * `vectors`, of `rows` entries, are transposed with its eigenvectors. */
static lr_status diagonalize(double *d, double *off, size_t n, double *vectors,
                             size_t rows)
{
    double nothing = negligible(d, off, n);
    for (size_t first = 0; first < n; first++) {
        int sweeps = 0;
        size_t last;
        while ((last = find_split(off, n, first, nothing)) != first) {
            if (sweeps++ == MOST_SWEEPS)
                return LR_NOT_CONVERGED;
            sweep(d, off, first, last, vectors, rows);
        }
    }
    largest_first(d, vectors, n, rows);
    return LR_OK;
}

lr_status lr_symmetric_eigen(double *a, size_t n, size_t first, double *values,
                             double *vectors, double *scratch)
{
    double *off = scratch, *beta = scratch + n;
    tridiagonalize(a, n, values, off, beta, scratch + 2 * n);
    if (first > 0) {
        last_rows(a, n, beta, first, vectors);
        return diagonalize(values, off, n, vectors, n - first);
    }
    memset(vectors, 0, n * n * sizeof(double));
    for (size_t i = 0; i < n; i++)
        vectors[i * (n + 1)] = 1.0;
    lr_status status = diagonalize(values, off, n, vectors, n);
    back_transform(a, n, beta, vectors);
    return status;
}
