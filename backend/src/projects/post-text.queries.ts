import { Injectable } from '@nestjs/common';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { EVERYONE, hasMentions, storeMentions } from '@roughmix/contracts/shared/mentions.js';
import type { ProblemCode } from '@roughmix/contracts/shared/problems.js';
import { Refused } from '../kernel/refusal.js';
import { UsersQueries } from '../users/users.queries.js';
import type { StoredText } from './post.decider.js';
import { ProjectAccessQueries } from './project-access.queries.js';

/** A post's text as typed, and where it is written. */
export interface TypedText {
  readonly typed: string;
  readonly projectId: Id;
  readonly uid: Uid;
  /** The problem code of a text that is only white space. */
  readonly empty: ProblemCode;
}

/** Turns the typed text of comments and todos into the stored form. */
@Injectable()
export class PostTextQueries {
  constructor(
    private readonly access: ProjectAccessQueries,
    private readonly users: UsersQueries,
  ) {}

  /** @throws Refused `empty`; `project.not-found` when the author may not see the project */
  async store({ typed, projectId, uid, empty }: TypedText): Promise<StoredText> {
    const { project } = await this.access.require(projectId, uid);
    const people = await this.users.people(hasMentions(typed) ? project.memberUids : []);
    const byName = new Map(project.memberUids.map((member) => [people(member).username.toLowerCase(), member]));
    const { text, uids } = storeMentions(typed, (name) => byName.get(name.toLowerCase()) ?? null);
    if (text.trim() === '') throw new Refused(empty);
    const everyone = typed.includes(`%MENTION_${EVERYONE}_END%`) ? project.memberUids : [];
    return { content: text, taggedUsers: [...new Set([...uids, ...everyone])].filter((other) => other !== uid) };
  }
}
