import type { Id } from '@roughmix/contracts/shared/ids.js';
import { type Marks, UNMARKED } from '@roughmix/contracts/shared/marks.js';
import { toMillis } from '@roughmix/contracts/shared/span.js';
import { NOT_DUE } from '@roughmix/contracts/todos/todo.due.js';
import { tutorialSong } from '../demo/music/demo-songs.js';
import { idFrom } from '../platform/ids.js';
import type { TutorialMix } from './tutorial-audio.js';
import type { TutorialPlan, TutorialVersion } from './tutorial.decider.js';
import { TUTORIAL_TEXTS } from './tutorial-texts.js';

const UNTAGGED = { taggedUsers: [] } as const;

/** Everything in a tutorial project, with ids derived from the project's. */
export function tutorialPlan(projectId: Id, mixes: readonly TutorialMix[]): TutorialPlan {
  const id = (kind: string, name: string): Id => idFrom('tutorial', projectId, kind, name);
  const versions = mixes.map((mix): TutorialVersion => versionOf(mix, id));
  const versionIds = versions.map(({ added }) => added.versionId);
  const [roughId = '', currentId = ''] = [versionIds[0], versionIds.at(-1)];
  const marksOf = ({ about, stampAt }: { readonly about?: string; readonly stampAt?: string }): Marks => ({
    taggedRegions: about === undefined ? [] : [id('region', about)],
    stamp: stampAt === undefined ? UNMARKED.stamp : { versionId: currentId, at: startOf(stampAt) },
  });
  const { projectName, description, comments, replies, todos } = TUTORIAL_TEXTS;
  return {
    project: { projectId, firstVersionId: roughId, projectName, description, tinySummary: versions[0]?.added.tinySummary ?? '', invited: [], message: '' },
    versions,
    regions: regionsOn({ roughId, currentId }, id),
    comments: comments.map((comment) => {
      const commentId = id('comment', comment.name);
      return { commentId, kind: 'text', content: comment.content, versionId: currentId, ...UNTAGGED, marks: marksOf(comment) };
    }),
    replies: replies.map(({ to, content }) => {
      const [commentId, parentCommentId] = [id('reply', to), id('comment', to)];
      return { commentId, parentCommentId, content, versionId: currentId, ...UNTAGGED, marks: UNMARKED };
    }),
    todos: todos.map((todo) => {
      const versionId = todo.isCompleted === true ? roughId : currentId;
      return { todoId: id('todo', todo.name), content: todo.content, versionId, ...UNTAGGED, marks: marksOf(todo), due: NOT_DUE };
    }),
    completed: todos
      .filter(({ isCompleted }) => isCompleted === true)
      .map(({ name }) => ({ todoId: id('todo', name), version: { versionId: currentId, ...numberOf(versions.at(-1)) } })),
  };
}

function versionOf({ name, file, analysis, peaksKey, peaksLevels }: TutorialMix, id: (kind: string, name: string) => Id): TutorialVersion {
  const [versionId, uploadId] = [id('version', name), id('upload', name)];
  const [major = 1, minor = 0] = name.split('.').map(Number);
  const tinySummary = tutorialSong.mixes.find((mix) => mix.name === name)?.summary ?? '';
  return {
    added: { versionId, major, minor, tinySummary, ...UNTAGGED, uploadId, file },
    analyzed: { versionId, uploadId, analysis, peaksKey, peaksLevels },
  };
}

const numberOf = (version: TutorialVersion | undefined) => ({ majorUpdate: version?.added.major ?? 1, minorUpdate: version?.added.minor ?? 0 });

const startOf = (section: string): number => toMillis(tutorialSong.sections.find(({ name }) => name === section)?.start ?? 0);

function regionsOn({ roughId, currentId }: { readonly roughId: Id; readonly currentId: Id }, id: (kind: string, name: string) => Id): TutorialPlan['regions'] {
  const { roughRegion } = TUTORIAL_TEXTS;
  const region = (versionId: Id, label: string, { start, end, category }: (typeof tutorialSong.moments)[number]) => ({
    regionId: id('region', label),
    versionId,
    span: { start: toMillis(start), end: toMillis(end), tag: category, label },
  });
  return [
    ...tutorialSong.moments.filter(({ text }) => text === roughRegion.moment).map((moment) => region(roughId, roughRegion.label, moment)),
    ...tutorialSong.moments.map((moment) => region(currentId, moment.text, moment)),
  ];
}
