import type { Server as HttpServer } from 'node:http';
import { IoAdapter } from '@nestjs/platform-socket.io';

type Making = IoAdapter['createIOServer'];

/** Sockets by WebSocket alone: what comes to `/socket.io` as a plain request is left to the routes, which know nothing there. */
export class WebsocketOnlyAdapter extends IoAdapter {
  override createIOServer(...asked: Parameters<Making>): ReturnType<Making> {
    const http = this.httpServer as HttpServer;
    const own = http.listeners('request') as Parameters<HttpServer['on']>[1][];
    const made = super.createIOServer(...asked);
    http.removeAllListeners('request');
    for (const listener of own) http.on('request', listener);
    return made;
  }
}
