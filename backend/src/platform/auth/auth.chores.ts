import { Injectable } from '@nestjs/common';
import type { Chore } from '../reactors/chores.js';
import type { ChoreSource } from '../slice.js';
import { LinkTokens } from './link-tokens.js';
import { Sessions } from './sessions.js';
import { Throttle } from './throttle.js';

/** Removes expired sessions, throttle counts and links. */
@Injectable()
export class AuthChores implements ChoreSource {
  constructor(
    private readonly sessions: Sessions,
    private readonly throttle: Throttle,
    private readonly links: LinkTokens,
  ) {}

  chores(): readonly Chore[] {
    return [
      { name: 'sessions', when: 'hourly', run: () => this.sessions.sweep() },
      { name: 'throttles', when: 'hourly', run: () => this.throttle.sweep() },
      { name: 'links', when: 'hourly', run: () => this.links.sweep() },
    ];
  }
}
