// Ends processes whose driver is gone, however that ended: their ids come as lines on its input (`+17` to watch, `-17` when ended), and the input ends with the driver.
import { createInterface } from 'node:readline';

const watched = new Set();
for await (const line of createInterface({ input: process.stdin })) {
  const pid = Number(line.slice(1));
  if (line.startsWith('+')) watched.add(pid);
  else watched.delete(pid);
}
for (const pid of watched) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It had ended by itself: that is what was wanted.
    if (error.code !== 'ESRCH') throw error;
  }
}
