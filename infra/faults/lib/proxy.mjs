import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** A proxy that can cut connections at any byte or freeze them, as bad networks and sleeping machines do. */
export class Proxy {
  #server;
  #ways = new Set();
  url = '';

  static async to(target) {
    const proxy = new Proxy();
    const { hostname, port } = new URL(target);
    proxy.#server = createServer((here) => proxy.#open(here, connect(Number(port), hostname))).listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    proxy.url = `http://127.0.0.1:${proxy.#server.address().port}`;
    return proxy;
  }

  #open(here, there) {
    const way = { here, there, left: Infinity, frozen: false };
    this.#ways.add(way);
    const end = () => {
      this.#ways.delete(way);
      here.destroy();
      there.destroy();
    };
    for (const side of [here, there]) side.on('error', end).on('close', end);
    here.on('data', (bytes) => way.frozen || there.write(bytes));
    there.on('data', (bytes) => {
      if (way.frozen) return;
      here.write(bytes.subarray(0, way.left));
      way.left -= bytes.length;
      if (way.left <= 0) here.end(end);
    });
  }

  /** Cuts each connection after the given number of further bytes from the program, usually in the middle of a message. */
  cutAfter(bytes) {
    for (const way of this.#ways) way.left = bytes;
  }

  /** Silently stops all traffic in both directions. */
  freeze() {
    for (const way of this.#ways) way.frozen = true;
  }

  /** Stops reading the program's answers, so they pile up in the program. */
  stall() {
    for (const { there } of this.#ways) there.pause();
  }

  get connections() {
    return this.#ways.size;
  }

  /** Breaks every connection now. */
  cut() {
    for (const { here, there } of this.#ways) {
      here.destroy();
      there.destroy();
    }
  }

  close() {
    this.cut();
    this.#server.close();
  }
}
