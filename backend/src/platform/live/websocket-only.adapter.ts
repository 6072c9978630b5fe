import type { IncomingMessage, Server as HttpServer } from 'node:http';
import type { INestApplicationContext } from '@nestjs/common';
import { IoAdapter } from '@nestjs/platform-socket.io';
import { rawResponse } from '../http/raw-response.js';
import { SocketDoor } from './socket-door.js';

type Making = IoAdapter['createIOServer'];
type Answer = (error: string | null, isAdmitted: boolean) => void;

/** Serves WebSocket upgrades only, after the door has admitted them. Plain requests to `/socket.io` go to the routes, which answer 404. */
export class WebsocketOnlyAdapter extends IoAdapter {
  private readonly door: SocketDoor;

  constructor(app: INestApplicationContext) {
    super(app);
    this.door = app.get(SocketDoor, { strict: false });
  }

  override createIOServer(...[port, options]: Parameters<Making>): ReturnType<Making> {
    const http = this.httpServer as HttpServer;
    const own = http.listeners('request') as Parameters<HttpServer['on']>[1][];
    const made = super.createIOServer(port, { ...options, allowRequest: this.admit } as Parameters<Making>[1]);
    http.removeAllListeners('request');
    for (const listener of own) http.on('request', listener);
    return made;
  }

  private readonly admit = (request: IncomingMessage, answer: Answer): void => {
    const refusal = this.door.admit(request);
    // socket.io answers every refusal with 400, unless the connection has been answered already.
    if (refusal !== null) {
      this.door.refused(refusal, request);
      request.socket.end(rawResponse(refusal));
    }
    answer(refusal, refusal === null);
  };
}
