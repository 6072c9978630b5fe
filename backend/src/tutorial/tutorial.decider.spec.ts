import { expect, test } from '@jest/globals';
import { eventsOf, folded, given } from '../testing/given.js';
import { anAudioFile, aProject, PROJECT_ID, ProjectHistory } from '../testing/project-history.js';
import type { TutorialMix } from './tutorial-audio.js';
import { tutorialPlan } from './tutorial-plan.js';

const mix = (name: TutorialMix['name']): TutorialMix => ({
  name,
  file: anAudioFile({ key: `tutorial/first-light/First Light ${name}.wav` }),
  analysis: { duration: 40.8, sampleRate: 44_100, channels: 2, codec: 'pcm_s16le', loudness: -14, truePeak: -2 },
  peaksKey: `tutorial/first-light/peaks-${name}`,
  peaksLevels: 4,
});
const plan = tutorialPlan(PROJECT_ID, [mix('1.0'), mix('1.1')]);
const create = { type: 'CreateTutorial', data: plan } as const;

test('a tutorial is created in one append, by its owner, with analysed versions', () => {
  const events = eventsOf(given(ProjectHistory.of(PROJECT_ID)).when(create, 'ana'));
  expect(events.map(({ type }) => type).filter((type, at, types) => type !== types[at - 1])).toEqual([
    'ProjectCreated',
    'VersionAdded',
    'VersionAnalyzed',
    'VersionAdded',
    'VersionAnalyzed',
    'RegionAdded',
    'CommentAdded',
    'CommentReplyAdded',
    'TodoAdded',
    'TodoCompleted',
    'TutorialCreated',
  ]);
  expect(events[0]).toEqual({ type: 'ProjectCreated', data: { ...plan.project, ownerUid: 'ana' } });
  const project = folded(events.reduce((history, event) => history.and(event, 'ana'), ProjectHistory.of(PROJECT_ID)));
  expect(Object.values(project.versions).map(({ uploaderUid, state, initialLogin }) => ({ uploaderUid, state, initialLogin }))).toEqual([
    { uploaderUid: 'ana', state: 'ready', initialLogin: true },
    { uploaderUid: 'ana', state: 'ready', initialLogin: true },
  ]);
});

test('its regions have every category and every tag and timestamp points at something in it', () => {
  expect(new Set(plan.regions.map(({ span }) => span.tag))).toEqual(new Set(['performance', 'mix', 'style', 'arrangement', 'general']));
  const regionIds = plan.regions.map(({ regionId }) => regionId);
  const versionIds: readonly (string | null)[] = plan.versions.map(({ added }) => added.versionId);
  const posts = [...plan.comments, ...plan.replies, ...plan.todos];
  const marks = posts.map((post) => post.marks);
  expect(marks.flatMap(({ taggedRegions }) => taggedRegions).filter((id) => !regionIds.includes(id))).toEqual([]);
  expect(marks.flatMap(({ stamp }) => stamp ?? [])).toEqual([{ versionId: versionIds[1], at: 19.2 }]);
  expect([...posts, ...plan.regions].map(({ versionId }) => versionId).filter((id) => !versionIds.includes(id))).toEqual([]);
  expect(plan.regions.filter(({ span }) => span.end > 40.8)).toEqual([]);
});

test('a tutorial is created only where there is no project, and only by a user', () => {
  given(aProject().ownedBy('ana')).when(create, 'ana').thenRefused('project.not-found');
  given(ProjectHistory.of(PROJECT_ID)).when(create, null).thenRefused('project.not-allowed');
});
