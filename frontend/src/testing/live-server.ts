import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { InProject } from '@roughmix/contracts/live.api.js';
import type { ClientMessages, ServerMessages } from '@roughmix/contracts/live.js';
import { Server, type Socket } from 'socket.io';
import { personCalled } from './people-and-projects';

type ServerSocket = Socket<ClientMessages, ServerMessages>;

const UNKNOWN_FIELD = {
  type: 'about:blank',
  title: 'Bad Request',
  status: 400,
  code: 'request.unknown-field',
  detail: 'A field of the request is unknown.',
} as const;

/** A real socket server for specs of the live connection, whose responses can be changed at any time. */
export interface LiveServer {
  readonly port: number;
  /** The bodies of `login` and of `in-project`, in order. */
  readonly logins: object[];
  readonly logouts: object[];
  readonly joined: InProject[];
  readonly sockets: ServerSocket[];
  readonly newest: () => ServerSocket | undefined;
  /** The log id in the acks of `in-project`. */
  log: string;
  /** Fields of the ack of `login` about the user's room; servers without catch-up for it send no log id. */
  userRoom: { readonly position?: number; readonly log?: string; readonly reload?: true };
  /** Behaves like a server without catch-up of the user's room: refuses `login` with fields. */
  refusesCatchUp: boolean;
  /** Joins wait for this promise. */
  holdsBack: Promise<void>;
  readonly close: () => Promise<void>;
}

/** Listens on a port (0: any free one), and points the page's URLs there. Acks list Ana as present; a join after position 13 must reload. */
export async function liveServer(at = 0): Promise<LiveServer> {
  const http = createServer();
  const io = new Server<ClientMessages, ServerMessages>(http, { transports: ['websocket'] });
  await new Promise<void>((resolve) => http.listen(at, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  const sockets: ServerSocket[] = [];
  const server: LiveServer = {
    port,
    logins: [],
    logouts: [],
    joined: [],
    sockets,
    newest: () => sockets.at(-1),
    log: 'log-1',
    userRoom: {},
    refusesCatchUp: false,
    holdsBack: Promise.resolve(),
    close: () => io.close(),
  };
  io.on('connection', (socket: ServerSocket) => {
    sockets.push(socket);
    socket.on('login', (body, ack) => {
      server.logins.push(body);
      if (server.refusesCatchUp && 'after' in body) return ack({ ok: false, problem: UNKNOWN_FIELD });
      return ack({ ok: true, ...server.userRoom } as never); // an older server acks without a log
    });
    socket.on('logout', (body, ack) => {
      server.logouts.push(body);
      ack({ ok: true });
    });
    socket.on('left-project', (_, ack) => ack({ ok: true }));
    socket.on('in-project', async (body, ack) => {
      server.joined.push(body);
      await server.holdsBack;
      ack({ ok: true, position: 40, log: server.log, users: [personCalled('Ana')], ...(body.after === 13 ? { reload: true } : {}) });
    });
  });
  document.head.replaceChildren(Object.assign(document.createElement('base'), { href: `http://127.0.0.1:${port}/` }));
  return server;
}
