import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import ipaddr from 'ipaddr.js';

const HEADER_BYTES = 12;
const TYPES: Readonly<Record<number, string>> = { 1: 'A', 28: 'AAAA' };
/** An answer (RFC 1035, section 4.1.1) without an error, and one that says that the name does not exist. */
const [NO_ERROR, NO_SUCH_NAME] = [0x8180, 0x8183];

/** A name server on loopback that records what it is asked, and gives only the answers that were set. */
export class DnsServer {
  /** Questions such as 'A www.example.org', in the order of their arrival; repeated queries too. */
  readonly asked: string[] = [];
  /** The address to answer a question with. */
  readonly addresses = new Map<string, string>();
  /** Names that do not exist. */
  readonly unknown = new Set<string>();

  /** Called with each question, before the answer. */
  onAsked: () => void = () => undefined;

  private constructor(private readonly socket: Socket) {
    socket.on('message', (query, { port }) => {
      const answer = this.answerTo(query);
      if (answer !== null) socket.send(answer, port, '127.0.0.1');
    });
  }

  static async start(): Promise<DnsServer> {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return new DnsServer(socket);
  }

  get address(): string {
    return `127.0.0.1:${this.socket.address().port}`;
  }

  async stop(): Promise<void> {
    this.socket.close();
    await once(this.socket, 'close');
  }

  /** Null for silence: about names that it knows nothing of. A name that has only addresses of the other family exists. */
  private answerTo(query: Buffer): Buffer | null {
    const { name, type, end } = questionIn(query);
    this.asked.push(`${type} ${name}`);
    this.onAsked();
    const address = this.addresses.get(`${type} ${name}`);
    const exists = ['A', 'AAAA'].some((each) => this.addresses.has(`${each} ${name}`));
    if (!exists && !this.unknown.has(name)) return null;
    const header = Buffer.alloc(HEADER_BYTES);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(exists ? NO_ERROR : NO_SUCH_NAME, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(address === undefined ? 0 : 1, 6);
    return Buffer.concat([header, query.subarray(HEADER_BYTES, end), address === undefined ? Buffer.alloc(0) : record(address)]);
  }
}

function questionIn(query: Buffer): { readonly name: string; readonly type: string; readonly end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: TYPES[query.readUInt16BE(at + 1)] ?? 'other', end: at + 5 };
}

/** A resource record whose name is the question's, valid for no time. */
function record(address: string): Buffer {
  const bytes = Buffer.from(ipaddr.parse(address).toByteArray());
  const head = Buffer.from([0xc0, HEADER_BYTES, 0, bytes.length === 4 ? 1 : 28, 0, 1, 0, 0, 0, 0, 0, bytes.length]);
  return Buffer.concat([head, bytes]);
}
