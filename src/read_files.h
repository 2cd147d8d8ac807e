#pragma once

#include "read_entries.h"

/* File operations that R lacks: its connections neither report why they
 * failed nor wait for the disk. */

typedef enum { LR_ABSENT, LR_FILE, LR_FOLDER, LR_DEVICE } lr_file_kind;

/* What stands at `path` (links are followed); LR_DEVICE is whatever is neither
 * a file nor a folder. */
lr_file_kind lr_kind_of_file(const char *path);

/* Writes a file, or anew what stands there, and waits until it is on the disk.
 * Returns 0, or the errno of what went wrong; what was written of the file by
 * then stays. `add`: to the end of what stands there, in one write where the
 * disk takes it. Where that fails, the file is as it was, unless another
 * program has added to it meanwhile or the disk refuses that, too. */
int lr_write_file(const char *path, const unsigned char *bytes, size_t count,
                  int add);

/* Writes cells of p features to a file, made where there is none, that has the
 * values of all `total` cells feature by feature, then their row numbers. Those
 * of feature j begin at cell next[j], which is moved behind them. Does not wait
 * for the disk; returns as above. */
int lr_place_cells(const char *path, const lr_sparse_tile *cells, size_t p,
                   size_t total, double *next);

/* The bytes of a file as memory that is read from the disk when it is used and
 * given back when memory is short; NULL where that cannot be. No other program
 * may cut the file. */
const void *lr_map_file(const char *path, size_t bytes);

void lr_unmap_file(const void *at, size_t bytes);

/* Gives back the memory of `count` features of a mapped file of p, if it is a
 * large one. The system has it most likely when it is read again. */
void lr_release_cells(const lr_sparse_tile *cells, size_t p, size_t first,
                      size_t count);

/* Waits until what a folder lists is on the disk. Returns as above. */
int lr_sync_folder(const char *path);
