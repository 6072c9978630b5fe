import { Injectable } from '@nestjs/common';
import { PushQueue } from '../platform/push/push-queue.js';
import type { Chore } from '../platform/reactors/chores.js';
import type { ChoreSource } from '../platform/slice.js';

/** Forgets push messages that are too old to be sent again. */
@Injectable()
export class PushChores implements ChoreSource {
  constructor(private readonly queue: PushQueue) {}

  chores(): readonly Chore[] {
    return [{ name: 'push messages', when: 'hourly', run: () => this.queue.sweep() }];
  }
}
