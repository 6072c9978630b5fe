import { Injectable } from '@nestjs/common';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { EVERYONE, hasMentions, mention, mentionedIn, storeMentions } from '@roughmix/contracts/shared/mentions.js';
import type { ProblemCode } from '@roughmix/contracts/shared/problems.js';
import { showsNothing } from '@roughmix/contracts/shared/visible-text.js';
import { Refused } from '../kernel/refusal.js';
import { UsersQueries } from '../users/users.queries.js';
import type { StoredText } from './post.decider.js';
import { ProjectAccessQueries } from './project-access.queries.js';

export type { StoredText };

/** A post's text as typed, and where it is written. */
export interface TypedText {
  readonly typed: string;
  readonly projectId: Id;
  readonly uid: Uid;
  /** The problem code of a text that shows nothing. */
  readonly empty: ProblemCode;
  /** The stored text that an edit replaces. Its mentions stay mentions, also of people who are no longer members. */
  readonly before?: string | undefined;
}

/** A text, and the people it can mention. */
interface TextAmong extends Pick<TypedText, 'typed' | 'uid' | 'empty' | 'before'> {
  readonly memberUids: readonly Uid[];
}

/** The members that a stored text mentions, without its author. */
export function taggedIn(content: string, memberUids: readonly Uid[], author: Uid): readonly Uid[] {
  const mentioned = mentionedIn(content).filter((each) => memberUids.includes(each));
  const everyone = content.includes(mention(EVERYONE)) ? memberUids : [];
  return [...new Set([...mentioned, ...everyone])].filter((other) => other !== author);
}

/** Turns the typed text of comments and todos into the stored form. */
@Injectable()
export class PostTextQueries {
  constructor(
    private readonly access: ProjectAccessQueries,
    private readonly users: UsersQueries,
  ) {}

  /** @throws Refused `empty`; `project.not-found` when the author may not see the project */
  async store({ projectId, ...text }: TypedText): Promise<StoredText> {
    const { project } = await this.access.require(projectId, text.uid);
    return this.storeAmong({ ...text, memberUids: project.memberUids });
  }

  /** As `store`, where the members are not those of the read model. @throws Refused `empty` */
  async storeAmong({ typed, memberUids, uid, empty, before = '' }: TextAmong): Promise<StoredText> {
    const known = hasMentions(typed) ? [...mentionedIn(before), ...memberUids] : [];
    const people = await this.users.people(known);
    const byName = new Map(known.map((each) => [people(each).username.toLowerCase(), each]));
    const { text } = storeMentions(typed, (name) => byName.get(name.toLowerCase()) ?? null);
    if (showsNothing(text)) throw new Refused(empty);
    return { content: text, taggedUsers: taggedIn(text, memberUids, uid) };
  }
}
