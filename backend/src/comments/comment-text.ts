import { Injectable } from '@nestjs/common';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import { EVERYONE, hasMentions, storeMentions } from '@roughmix/contracts/shared/mentions.js';
import { Refused } from '../kernel/refusal.js';
import { ProjectAccessQueries } from '../projects/project-access.queries.js';
import { UsersQueries } from '../users/users.queries.js';

/** Text in the stored form, and the members it mentions: each once, without the author. */
export interface StoredText {
  readonly content: string;
  readonly taggedUsers: readonly Uid[];
}

/** Turns typed text into the stored form. */
@Injectable()
export class CommentText {
  constructor(
    private readonly access: ProjectAccessQueries,
    private readonly users: UsersQueries,
  ) {}

  /** @throws Refused `comment.empty` when it is only white space, `project.not-found` when the author may not see the project */
  async store(typed: string, projectId: Id, uid: Uid): Promise<StoredText> {
    const { project } = await this.access.require(projectId, uid);
    const people = await this.users.people(hasMentions(typed) ? project.memberUids : []);
    const byName = new Map(project.memberUids.map((member) => [people(member).username.toLowerCase(), member]));
    const { text, uids } = storeMentions(typed, (name) => byName.get(name.toLowerCase()) ?? null);
    if (text.trim() === '') throw new Refused('comment.empty');
    const everyone = typed.includes(`%MENTION_${EVERYONE}_END%`) ? project.memberUids : [];
    return { content: text, taggedUsers: [...new Set([...uids, ...everyone])].filter((other) => other !== uid) };
  }
}
