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

int main(void)
{
    const char *name = "test_files.tmp";
    remove(name);
    CHECK_INT(lr_kind_of_file(name), LR_ABSENT);
    const unsigned char text[] = "one line\n";
    CHECK_INT(lr_write_file(name, text, sizeof text), 0);
    CHECK_INT(lr_kind_of_file(name), LR_FILE);
    CHECK_INT(size_of(name), (long)sizeof text);
    CHECK_INT(lr_write_file(name, text, 3), 0);
    CHECK_INT(size_of(name), 3);
    CHECK_INT(lr_write_file(name, NULL, 0), 0);
    CHECK_INT(size_of(name), 0);
    CHECK_INT(lr_append_file(name, text, 3), 0);
    CHECK_INT(lr_append_file(name, text, sizeof text), 0);
    CHECK_INT(size_of(name), 3 + (long)sizeof text);
    remove(name);
    CHECK_INT(lr_append_file(name, text, 3), 0);
    CHECK_INT(size_of(name), 3);
    CHECK_INT(lr_append_file("no/such/folder", text, 3), ENOENT);
    CHECK_INT(lr_write_file("no/such/folder", text, 3), ENOENT);
    CHECK_INT(lr_kind_of_file("."), LR_FOLDER);
#ifdef __linux__
    CHECK_INT(lr_sync_folder("."), 0);
    CHECK_INT(lr_sync_folder("no/such/folder"), ENOENT);
    CHECK_INT(lr_kind_of_file("/dev/null"), LR_DEVICE);
    CHECK_INT(lr_write_file("/dev/null", text, 3), 0);
    CHECK_INT(lr_write_file("/dev/full", text, 3), ENOSPC);
    CHECK_INT(lr_append_file("/dev/full", text, 3), ENOSPC);
    /* a file that may not grow further takes a part, which is taken back */
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit most, before;
    CHECK_INT(getrlimit(RLIMIT_FSIZE, &before), 0);
    most = before;
    most.rlim_cur = 8;
    CHECK_INT(setrlimit(RLIMIT_FSIZE, &most), 0);
    CHECK_INT(lr_append_file(name, text, sizeof text), EFBIG);
    CHECK_INT(size_of(name), 3);
    CHECK_INT(lr_append_file(name, text, 5), 0);
    CHECK_INT(size_of(name), 8);
    CHECK_INT(setrlimit(RLIMIT_FSIZE, &before), 0);
#endif
    remove(name);
    test_places(name);
    return check_report();
}
