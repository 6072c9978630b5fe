import type { EventClasses } from '../shared/field-classes.js';
import type { Id, Uid } from '../shared/ids.js';
import { type Marks, marksClasses } from '../shared/marks.js';
import type { VersionNumber } from '../shared/versions.js';
import type { Due, Reminder } from './todo.due.js';

/** The version under which a todo was completed. Its number is kept for when the version is removed. */
export interface CompletedVersion extends VersionNumber {
  readonly versionId: Id;
}

export interface TodoEvents {
  /** `content` holds stored mentions, here and below. */
  TodoAdded: {
    readonly todoId: Id;
    readonly content: string;
    readonly versionId: Id | null;
    readonly taggedUsers: readonly Uid[];
    readonly marks: Marks;
    readonly due: Due;
  };
  /** `parentOwnerUid` is the author of the newest reply that existed, else of the todo. */
  TodoReplyAdded: {
    readonly todoId: Id;
    readonly parentTodoId: Id;
    readonly parentOwnerUid: Uid;
    readonly content: string;
    readonly versionId: Id | null;
    readonly taggedUsers: readonly Uid[];
    readonly marks: Marks;
  };
  /** Of a todo or a reply. A part that does not change is null. */
  TodoEdited: {
    readonly todoId: Id;
    readonly text: { readonly content: string; readonly taggedUsers: readonly Uid[]; readonly from: Marks; readonly to: Marks } | null;
    readonly due: { readonly from: Due; readonly to: Due } | null;
  };
  /** `version` is null in a project without versions. */
  TodoCompleted: { readonly todoId: Id; readonly version: CompletedVersion | null };
  /** Its replies are removed with it. `taggedRegions` are its own and theirs; `completedVersionId` is the version under which it was completed. */
  TodoRemoved: {
    readonly todoId: Id;
    readonly replyIds: readonly Id[];
    readonly taggedRegions: readonly Id[];
    readonly wasCompleted: boolean;
    readonly completedVersionId: Id | null;
  };
  TodoReplyRemoved: { readonly todoId: Id; readonly parentTodoId: Id; readonly taggedRegions: readonly Id[] };
  /** By the system, when the reminder was due. */
  TodoReminderFired: { readonly todoId: Id; readonly reminder: Reminder };
  /** By the system, for a reminder that was due before a backup was restored: it counts as sent. */
  TodoReminderSkipped: { readonly todoId: Id; readonly reminder: Reminder };
}

const reminder = <Name extends string>(name: Name) => ({ [`${name}.label`]: 'plain', [`${name}.at`]: 'plain' }) as const;
const due = <Name extends string>(name: Name) => ({ [`${name}.dueDate`]: 'plain', [`${name}.reminder`]: 'plain', ...reminder(`${name}.reminder`) }) as const;

export const TODO_EVENT_CLASSES: EventClasses<TodoEvents> = {
  TodoAdded: { todoId: 'plain', content: 'content', versionId: 'plain', taggedUsers: 'plain', ...marksClasses('marks'), ...due('due') },
  TodoReplyAdded: {
    todoId: 'plain',
    parentTodoId: 'plain',
    parentOwnerUid: 'plain',
    content: 'content',
    versionId: 'plain',
    taggedUsers: 'plain',
    ...marksClasses('marks'),
  },
  TodoEdited: {
    todoId: 'plain',
    text: 'plain',
    'text.content': 'content',
    'text.taggedUsers': 'plain',
    ...marksClasses('text.from'),
    ...marksClasses('text.to'),
    due: 'plain',
    ...due('due.from'),
    ...due('due.to'),
  },
  TodoCompleted: { todoId: 'plain', version: 'plain', 'version.versionId': 'plain', 'version.majorUpdate': 'plain', 'version.minorUpdate': 'plain' },
  TodoRemoved: { todoId: 'plain', replyIds: 'plain', taggedRegions: 'plain', wasCompleted: 'plain', completedVersionId: 'plain' },
  TodoReplyRemoved: { todoId: 'plain', parentTodoId: 'plain', taggedRegions: 'plain' },
  TodoReminderFired: { todoId: 'plain', ...reminder('reminder') },
  TodoReminderSkipped: { todoId: 'plain', ...reminder('reminder') },
};
