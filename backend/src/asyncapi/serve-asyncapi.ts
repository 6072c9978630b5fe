import type { FieldClasses } from '@roughmix/contracts/shared/field-classes.js';
import type { FastifyInstance } from 'fastify';

/** Serves AsyncAPI of the socket and of the event stream below `/docs`, generated on demand. */
export function serveAsyncApi(server: FastifyInstance, fieldClasses: ReadonlyMap<string, FieldClasses>): void {
  server.get('/docs/asyncapi-events.json', async () => (await import('./events-document.js')).eventsDocument(fieldClasses));
  server.get('/docs/asyncapi-socket.json', async () => (await import('./socket-document.js')).socketDocument());
}
