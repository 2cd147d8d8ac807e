/* files without C's buffers are POSIX, not C */
#define _POSIX_C_SOURCE 200112L
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>
#ifdef _WIN32
#include <io.h>
#define fsync _commit
#ifndef S_ISREG
#define S_ISREG(mode) (((mode) & _S_IFMT) == _S_IFREG)
#define S_ISDIR(mode) (((mode) & _S_IFMT) == _S_IFDIR)
#endif
#else
#include <unistd.h>
#define O_BINARY 0
#endif

#include "read_files.h"

lr_file_kind lr_kind_of_file(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return LR_ABSENT;
    if (S_ISREG(status.st_mode))
        return LR_FILE;
    return S_ISDIR(status.st_mode) ? LR_FOLDER : LR_DEVICE;
}

/* Pipes and terminals have nothing to wait for. */
static int sync_open(int file)
{
    if (fsync(file) == 0 || errno == EINVAL || errno == ENOTSUP ||
        errno == ENOSYS)
        return 0;
    return errno;
}

int lr_write_file(const char *path, const unsigned char *bytes, size_t count)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_BINARY, 0666);
    if (file < 0)
        return errno;
    int wrong = 0;
    while (count > 0 && wrong == 0) {
        size_t most = (size_t)1 << 20;
        ssize_t written = write(file, bytes, count < most ? count : most);
        if (written >= 0) {
            bytes += written;
            count -= (size_t)written;
        } else if (errno != EINTR) {
            wrong = errno;
        }
    }
    if (wrong == 0)
        wrong = sync_open(file);
    /* some network disks say only now that they are full */
    if (close(file) != 0 && wrong == 0)
        wrong = errno;
    return wrong;
}

int lr_sync_folder(const char *path)
{
    int file = open(path, O_RDONLY);
    if (file < 0)
        return errno;
    int wrong = sync_open(file);
    close(file);
    return wrong;
}
