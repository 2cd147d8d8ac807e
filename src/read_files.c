/* Cells mapped from a file, and given back when they were read. Files without
 * buffers of C are POSIX, not C, and madvise() is neither. */
#define _POSIX_C_SOURCE 200112L
#define _DEFAULT_SOURCE
#define _FILE_OFFSET_BITS 64
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>
#ifdef _WIN32
#include <io.h>
#define fsync _commit
#define ftruncate _chsize
#ifndef S_ISREG
#define S_ISREG(mode) (((mode) & _S_IFMT) == _S_IFREG)
#define S_ISDIR(mode) (((mode) & _S_IFMT) == _S_IFDIR)
#endif
#else
#include <sys/mman.h>
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

/* Returns 0 or an errno; `written` tells how much was written by then. */
static int write_open(int file, const unsigned char *bytes, size_t count,
                      int lasting, size_t *written)
{
    *written = 0;
    while (*written < count) {
        size_t left = count - *written, most = (size_t)1 << 30;
        ssize_t more = write(file, bytes + *written, left < most ? left : most);
        if (more >= 0)
            *written += (size_t)more;
        else if (errno != EINTR)
            return errno;
    }
    return lasting ? sync_open(file) : 0;
}

/* Some network disks say only now that they are full. */
static int close_after(int file, int wrong)
{
    return close(file) != 0 && wrong == 0 ? errno : wrong;
}

int lr_write_file(const char *path, const unsigned char *bytes, size_t count,
                  int add)
{
    int file = open(path, O_WRONLY | O_CREAT | (add ? O_APPEND : O_TRUNC)
                              | O_BINARY, 0666);
    if (file < 0)
        return errno;
    struct stat before, after;
    int known = add && fstat(file, &before) == 0;
    size_t written;
    int wrong = write_open(file, bytes, count, 1, &written);
    /* nothing else may have been appended after a part */
    if (wrong != 0 && written > 0 && known && fstat(file, &after) == 0 &&
        after.st_size == before.st_size + (off_t)written &&
        ftruncate(file, before.st_size) != 0)
        wrong = errno;
    return close_after(file, wrong);
}

static int write_at(int file, size_t at, const void *values, size_t count)
{
    size_t written;
    if (lseek(file, (off_t)at, SEEK_SET) < 0)
        return errno;
    return write_open(file, (const unsigned char *)values, count, 0, &written);
}

int lr_place_cells(const char *path, const lr_sparse_tile *cells, size_t p,
                   size_t total, double *next)
{
    int file = open(path, O_WRONLY | O_CREAT | O_BINARY, 0666), wrong = 0;
    if (file < 0)
        return errno;
    for (size_t j = 0; j < p && wrong == 0; j++) {
        int from = cells->start[j];
        size_t count = (size_t)(cells->start[j + 1] - from);
        size_t at = (size_t)next[j];
        next[j] += (double)count;
        if (count > 0)
            wrong = write_at(file, sizeof(double) * at, cells->value + from,
                             sizeof(double) * count);
        if (count > 0 && wrong == 0)
            wrong = write_at(file, sizeof(double) * total + sizeof(int) * at,
                             cells->row + from, sizeof(int) * count);
    }
    return close_after(file, wrong);
}

int lr_sync_folder(const char *path)
{
    int file = open(path, O_RDONLY);
    if (file < 0)
        return errno;
    return close_after(file, sync_open(file));
}

#ifdef _WIN32
const void *lr_map_file(const char *path, size_t bytes)
{
    (void)path, (void)bytes;
    return NULL;
}

void lr_unmap_file(const void *at, size_t bytes)
{
    (void)at, (void)bytes;
}
#else
/* A byte behind the file, which is not read: no memory is empty. */
const void *lr_map_file(const char *path, size_t bytes)
{
    int file = open(path, O_RDONLY);
    struct stat status;
    if (file < 0)
        return NULL;
    void *at = MAP_FAILED;
    if (fstat(file, &status) == 0 && (size_t)status.st_size == bytes)
        at = mmap(NULL, bytes + 1, PROT_READ, MAP_SHARED, file, 0);
    close(file);
    return at == MAP_FAILED ? NULL : at;
}

void lr_unmap_file(const void *at, size_t bytes)
{
    munmap((void *)at, bytes + 1);
}
#endif

void lr_release_cells(const lr_sparse_tile *cells, size_t p, size_t first,
                      size_t count)
{
#ifdef MADV_DONTNEED
    const size_t around = 1 << 16, rows = 8 * (size_t)cells->start[p];
    size_t from = (size_t)cells->start[first];
    size_t to = (size_t)cells->start[first + count];
    size_t begin[] = {8 * from, rows + 4 * from};
    size_t end[] = {8 * to, rows + 4 * to};
    for (int k = 0; k < 2 && rows >= (size_t)1 << 29; k++) {
        /* the system maps pages around one that is read: those before, too */
        size_t at = begin[k] < around ? 0 : (begin[k] / around - 1) * around;
        madvise((char *)cells->value + at, end[k] - at, MADV_DONTNEED);
    }
#else
    (void)cells, (void)p, (void)first, (void)count;
#endif
}
