import { Inject, Injectable } from '@nestjs/common';
import { Refused } from '../../kernel/refusal.js';
import type { Caller } from '../http/caller.js';

/** The socket that sent a message, and its user. */
export interface Sender {
  readonly caller: Caller;
  readonly socketId: string;
}

/** A slice's answer to a message of browsers that joins no room. Guests are refused before. */
export interface MessageSource {
  /** The socket.io event. */
  readonly message: string;
  /** @returns the fields of the ack besides `ok` and `position` @throws Refused, which becomes the ack's problem */
  answer(sender: Sender, body: unknown): Promise<object>;
  /** The socket is closed; it sends nothing more. */
  ended?(socketId: string): void;
}

export const MESSAGE_SOURCES = Symbol('message sources');

/** The messages that slices answer. */
@Injectable()
export class MessageSources {
  private readonly sources: ReadonlyMap<string, MessageSource>;

  /** @throws Error when two slices answer the same message */
  constructor(@Inject(MESSAGE_SOURCES) sources: readonly MessageSource[]) {
    this.sources = new Map(sources.map((source) => [source.message, source]));
    if (this.sources.size < sources.length) throw new Error('two slices answer the same message');
  }

  /** @throws Refused `message.unknown` while no slice answers it, `guest.read-only`, or as its source */
  async answer(name: string, sender: Sender, body: unknown): Promise<object> {
    const source = this.sources.get(name);
    if (source === undefined) throw new Refused('message.unknown');
    if (sender.caller.isGuest) throw new Refused('guest.read-only');
    return source.answer(sender, body);
  }

  ended(socketId: string): void {
    for (const source of this.sources.values()) source.ended?.(socketId);
  }
}
