/* What stands at a name, and how writing it ends. */
#include "read_files.h"

#include <errno.h>
#include <stdio.h>

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
    CHECK_INT(lr_write_file("no/such/folder", text, 3), ENOENT);
    CHECK_INT(lr_kind_of_file("."), LR_FOLDER);
#ifdef __linux__
    CHECK_INT(lr_sync_folder("."), 0);
    CHECK_INT(lr_sync_folder("no/such/folder"), ENOENT);
    CHECK_INT(lr_kind_of_file("/dev/null"), LR_DEVICE);
    CHECK_INT(lr_write_file("/dev/null", text, 3), 0);
    CHECK_INT(lr_write_file("/dev/full", text, 3), ENOSPC);
#endif
    remove(name);
    return check_report();
}
