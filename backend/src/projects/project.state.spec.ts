import { expect, test } from '@jest/globals';
import { noProject, projectFromSnapshot } from './project.state.js';

test('a snapshot from before a map was added to the state opens with that map empty', () => {
  const { comments: _comments, ...older } = noProject();
  expect(projectFromSnapshot(JSON.parse(JSON.stringify({ ...older, projectName: 'Low tide' })))).toStrictEqual({ ...noProject(), projectName: 'Low tide' });
});
