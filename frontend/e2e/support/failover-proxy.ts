import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP proxy in front of several processes, like a load balancer with failover: each connection goes to the first that accepts it. */
export class FailoverProxy {
  readonly #server: Server;
  readonly #connections = new Set<Socket>();
  /** The ports of processes that accepted a connection. */
  readonly connected = new Set<number>();

  private constructor(readonly ports: readonly number[]) {
    this.#server = createServer((here) => this.#join(here, 0)).listen(0, '127.0.0.1');
  }

  /** @param ports local ports of the processes, preferred one first */
  static async to(ports: readonly number[]): Promise<FailoverProxy> {
    const proxy = new FailoverProxy(ports);
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  #join(here: Socket, index: number): void {
    const port = this.ports[index];
    if (port === undefined) return void here.destroy();
    const there = connect(port, '127.0.0.1');
    const away = (): void => this.#join(here, index + 1);
    there.once('error', away);
    there.once('connect', () => {
      there.off('error', away);
      this.connected.add(port);
      this.#keep(here, there);
    });
  }

  /** Closes both sides when either ends or fails. */
  #keep(here: Socket, there: Socket): void {
    this.#connections.add(here);
    const end = (): void => {
      this.#connections.delete(here);
      here.destroy();
      there.destroy();
    };
    for (const side of [here, there]) side.on('error', end).on('close', end);
    here.pipe(there);
    there.pipe(here);
  }

  close(): void {
    for (const here of this.#connections) here.destroy();
    this.#server.close();
  }
}
