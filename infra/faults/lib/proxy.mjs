import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** A way to the program that can be cut at any byte, and can stand still: what a lift, a tunnel or a sleeping machine does to a connection. */
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

  /** Every connection breaks once so many more bytes have come from the program: in the middle of a message, most likely. */
  cutAfter(bytes) {
    for (const way of this.#ways) way.left = bytes;
  }

  /** Nothing comes through any more in either direction, and nobody is told. */
  freeze() {
    for (const way of this.#ways) way.frozen = true;
  }

  /** The program's answers are not read any more: they pile up where they are made. */
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
