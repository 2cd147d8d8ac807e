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
    return check_report();
}
