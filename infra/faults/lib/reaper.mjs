// Kills processes whose driver has exited. Receives their ids as input lines (`+17`: watch, `-17`: exited); the input closes with the driver.
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
    // It has already exited.
    if (error.code !== 'ESRCH') throw error;
  }
}
