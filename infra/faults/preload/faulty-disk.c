/*
 * A disk that fails on request, for programs started with LD_PRELOAD. The first bytes of the file named by FAULTY_DISK select the faults:
 *   0: files whose fsync and fdatasync fail with EIO; 1: files whose growing writes fail with ENOSPC; 2: not 0 if those write a part first.
 * Files are bits: 1 log.db and its write-ahead log, 2 vault.db, 4 read.db, 8 files below blobs/, 16 the write-ahead logs' indexes.
 * The numbers at bytes 8 and 12 count the failed calls.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

struct control {
  volatile uint8_t fails_sync, is_full, writes_part, unused[5];
  uint32_t syncs, writes;
};
static struct control *control;

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("FAULTY_DISK");
  int file = path == NULL ? -1 : open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return;
  void *mapped = mmap(NULL, sizeof(struct control), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (mapped != MAP_FAILED) control = mapped;
}

static int ends_with(const char *path, const char *end) {
  size_t a = strlen(path), b = strlen(end);
  return a >= b && strcmp(path + a - b, end) == 0;
}

static uint8_t bit_of(int file) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  if (ends_with(path, "/log.db") || ends_with(path, "/log.db-wal")) return 1;
  if (ends_with(path, "/vault.db") || ends_with(path, "/vault.db-wal")) return 2;
  if (ends_with(path, "/read.db") || ends_with(path, "/read.db-wal")) return 4;
  if (strstr(path, "/blobs/") != NULL) return 8;
  return ends_with(path, ".db-shm") ? 16 : 0;
}

static int cannot_sync(int file) {
  if (control == NULL || control->fails_sync == 0 || (control->fails_sync & bit_of(file)) == 0) return 0;
  __atomic_add_fetch(&control->syncs, 1, __ATOMIC_SEQ_CST);
  errno = EIO;
  return 1;
}

/* How many of the bytes may be written; -1 for none. */
static ssize_t room_for(int file, size_t count) {
  int before = errno;
  if (control == NULL || control->is_full == 0 || (control->is_full & bit_of(file)) == 0) {
    errno = before;
    return (ssize_t)count;
  }
  if (control->writes_part && count >= 2048) return (ssize_t)(count / 2);
  __atomic_add_fetch(&control->writes, 1, __ATOMIC_SEQ_CST);
  errno = ENOSPC;
  return -1;
}

#define REAL(name) \
  static __typeof__(&name) real; \
  if (real == NULL) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

int fsync(int file) {
  REAL(fsync);
  return cannot_sync(file) ? -1 : real(file);
}
int fdatasync(int file) {
  REAL(fdatasync);
  return cannot_sync(file) ? -1 : real(file);
}
ssize_t write(int file, const void *bytes, size_t count) {
  REAL(write);
  ssize_t room = room_for(file, count);
  return room < 0 ? -1 : real(file, bytes, (size_t)room);
}
ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
  REAL(pwrite);
  ssize_t room = room_for(file, count);
  return room < 0 ? -1 : real(file, bytes, (size_t)room, offset);
}
ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
  REAL(pwrite64);
  ssize_t room = room_for(file, count);
  return room < 0 ? -1 : real(file, bytes, (size_t)room, offset);
}
ssize_t writev(int file, const struct iovec *pieces, int count) {
  REAL(writev);
  return room_for(file, 1) < 0 ? -1 : real(file, pieces, count);
}
ssize_t pwritev(int file, const struct iovec *pieces, int count, off_t offset) {
  REAL(pwritev);
  return room_for(file, 1) < 0 ? -1 : real(file, pieces, count, offset);
}
ssize_t pwritev64(int file, const struct iovec *pieces, int count, off64_t offset) {
  REAL(pwritev64);
  return room_for(file, 1) < 0 ? -1 : real(file, pieces, count, offset);
}
static int cannot_grow(int file, off64_t length) {
  return length > lseek64(file, 0, SEEK_END) && room_for(file, 1) < 0;
}
int ftruncate(int file, off_t length) {
  REAL(ftruncate);
  return cannot_grow(file, length) ? -1 : real(file, length);
}
int ftruncate64(int file, off64_t length) {
  REAL(ftruncate64);
  return cannot_grow(file, length) ? -1 : real(file, length);
}
