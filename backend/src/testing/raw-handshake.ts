import { request } from 'node:http';
import type { Socket } from 'node:net';

/** The response to a WebSocket handshake. */
export interface RawHandshake {
  readonly status: number;
  readonly body: string;
  /** Open after 101, until the spec or the server closes it. */
  readonly connection: Socket;
}

const UPGRADE = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==' };

/** Asks for a WebSocket like a browser, and sends nothing over it. */
export function rawHandshake(url: string, headers: Readonly<Record<string, string>> = {}): Promise<RawHandshake> {
  return new Promise((resolve, reject) => {
    const asked = request(`${url}/socket.io/?EIO=4&transport=websocket`, { agent: false, headers: { ...UPGRADE, ...headers } });
    asked.once('error', reject);
    asked.once('upgrade', ({ statusCode = 0 }, connection: Socket) => {
      connection.resume();
      resolve({ status: statusCode, body: '', connection });
    });
    asked.once('response', (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => (body += text));
      response.once('end', () => resolve({ status: response.statusCode ?? 0, body, connection: response.socket }));
    });
    asked.end();
  });
}
