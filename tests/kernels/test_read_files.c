/* What stands at a name, and how writing it ends. */
#ifdef __linux__
#define _POSIX_C_SOURCE 200112L
#include <signal.h>
#include <sys/resource.h>
#endif
#include <errno.h>
#include <stdio.h>

#include "read_files.h"

#include "check.h"

static long size_of(const char *name)
{
    FILE *file = fopen(name, "rb");
    if (!file)
        return -1;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    fclose(file);
    return size;
}

/* Five cells of three features, of which the second has none: first one cell
 * of each other feature, then the rest. */
static void test_places(const char *name)
{
    const int start[] = {0, 1, 1, 2, 0, 2, 2, 3}, row[] = {0, 1, 4, 5, 6};
    const double value[] = {0.5, 1.5, 2.5, 3.5, 4.5};
    lr_sparse_tile first = {0, 2, start, row, value};
    lr_sparse_tile second = {2, 5, start + 4, row + 2, value + 2};
    double next[] = {0, 3, 3};
    struct {
        double value[5];
        int row[5];
    } read;
    CHECK_INT(lr_place_cells(name, &first, 3, 5, next), 0);
    CHECK_INT(lr_place_cells(name, &second, 3, 5, next), 0);
    CHECK_INT(size_of(name), 60);
    CHECK_INT((int)next[0], 3);
    CHECK_INT((int)next[2], 5);
    FILE *file = fopen(name, "rb");
    CHECK_INT((int)fread(&read, 1, 60, file), 60);
    fclose(file);
    const int order[] = {0, 2, 3, 1, 4};
    for (int k = 0; k < 5; k++) {
        CHECK_INT(read.row[k], row[order[k]]);
        CHECK_INT(read.value[k] == value[order[k]], 1);
    }
    CHECK_INT(lr_place_cells("no/such/folder", &first, 3, 5, next), ENOENT);
#ifdef __linux__
    CHECK_INT(lr_place_cells("/dev/full", &first, 3, 5, next), ENOSPC);
#endif
    remove(name);
}

#ifdef __linux__
/* 0 where the system does not tell. */
static long resident_kilobytes(void)
{
    long kilobytes = 0;
    char line[200];
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status))
        if (sscanf(line, "VmRSS: %ld", &kilobytes) == 1)
            break;
    if (status)
        fclose(status);
    return kilobytes;
}

/* A large file, all zeros but for some values, of which three features are
 * read: whatever is given back, reading gives the same. */
static void test_release(const char *name)
{
    enum { EACH = 8191 * 512, READ = 3 * EACH, TOTAL = 1 << 26 };
    const int start[] = {0, EACH, 2 * EACH, READ, TOTAL};
    const int at[] = {0, EACH - 1, EACH, 2 * EACH - 1, 2 * EACH, TOTAL - 1};
    FILE *file = fopen(name, "wb");
    for (int k = 0; k < 6; k++) {
        double value = k + 0.5;
        fseek(file, 8L * at[k], SEEK_SET);
        fwrite(&value, sizeof value, 1, file);
    }
    for (int k = 0; k < 6; k++) {
        fseek(file, 8L * TOTAL + 4L * at[k], SEEK_SET);
        fwrite(&k, sizeof k, 1, file);
    }
    fclose(file);
    long before = resident_kilobytes();
    const double *value = lr_map_file(name, 12L * TOTAL);
    CHECK(value != NULL);
    lr_sparse_tile cells = {0, 7, start, (const int *)(value + TOTAL), value};
    for (size_t first = 0; first < 3; first++)
        for (size_t last = first + 1; last <= 4; last++) {
            double sum = 0.0;
            for (size_t k = 0; k < READ; k += 512)
                sum += value[k] + (double)cells.row[k];
            CHECK(sum == 7.5 + 6.0);
            lr_release_cells(&cells, 4, first, last - first);
            /* 12 bytes a cell; each processor counts for itself at first, so
             * that the system's sum is not exact */
            long kept = 3 - (long)((last < 3 ? last : 3) - first);
            CHECK(resident_kilobytes() - before
                  <= kept * (12L * EACH / 1024) + 16384);
            for (int k = 0; k < 6; k++)
                CHECK(value[at[k]] == k + 0.5 && cells.row[at[k]] == k);
        }
    lr_unmap_file(value, 12L * TOTAL);
    remove(name);
}
#endif

int main(void)
{
    const char *name = "test_files.tmp";
    remove(name);
    CHECK_INT(lr_kind_of_file(name), LR_ABSENT);
    const unsigned char text[] = "one line\n";
    CHECK_INT(lr_write_file(name, text, sizeof text, 0), 0);
    CHECK_INT(lr_kind_of_file(name), LR_FILE);
    CHECK_INT(size_of(name), (long)sizeof text);
    CHECK_INT(lr_write_file(name, text, 3, 0), 0);
    CHECK_INT(size_of(name), 3);
    CHECK_INT(lr_write_file(name, NULL, 0, 0), 0);
    CHECK_INT(size_of(name), 0);
    CHECK_INT(lr_write_file(name, text, 3, 1), 0);
    CHECK_INT(lr_write_file(name, text, sizeof text, 1), 0);
    CHECK_INT(size_of(name), 3 + (long)sizeof text);
    remove(name);
    CHECK_INT(lr_write_file(name, text, 3, 1), 0);
    CHECK_INT(size_of(name), 3);
    CHECK_INT(lr_write_file("no/such/folder", text, 3, 1), ENOENT);
    CHECK_INT(lr_write_file("no/such/folder", text, 3, 0), ENOENT);
    CHECK_INT(lr_kind_of_file("."), LR_FOLDER);
#ifdef __linux__
    CHECK_INT(lr_sync_folder("."), 0);
    CHECK_INT(lr_sync_folder("no/such/folder"), ENOENT);
    CHECK_INT(lr_kind_of_file("/dev/null"), LR_DEVICE);
    CHECK_INT(lr_write_file("/dev/null", text, 3, 0), 0);
    CHECK_INT(lr_write_file("/dev/full", text, 3, 0), ENOSPC);
    CHECK_INT(lr_write_file("/dev/full", text, 3, 1), ENOSPC);
    /* a file that may not grow further takes a part, which is taken back */
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit most, before;
    CHECK_INT(getrlimit(RLIMIT_FSIZE, &before), 0);
    most = before;
    most.rlim_cur = 8;
    CHECK_INT(setrlimit(RLIMIT_FSIZE, &most), 0);
    CHECK_INT(lr_write_file(name, text, sizeof text, 1), EFBIG);
    CHECK_INT(size_of(name), 3);
    CHECK_INT(lr_write_file(name, text, 5, 1), 0);
    CHECK_INT(size_of(name), 8);
    CHECK_INT(setrlimit(RLIMIT_FSIZE, &before), 0);
#endif
    remove(name);
    test_places(name);
#ifdef __linux__
    test_release(name);
#endif
    return check_report();
}
