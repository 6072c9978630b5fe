import type { Server as HttpServer } from 'node:http';
import { IoAdapter } from '@nestjs/platform-socket.io';

type Making = IoAdapter['createIOServer'];

/** Serves WebSocket upgrades only. Plain requests to `/socket.io` go to the routes, which answer 404. */
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
