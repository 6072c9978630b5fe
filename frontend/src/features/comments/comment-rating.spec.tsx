import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { type Answer, startStubServer, type StubServer } from '../../testing/stub-server';
import { aComment } from '../../testing/comments';
import { openPanel } from '../../testing/comments-panel';
import { away } from '../../testing/open-project';

let server: StubServer;
let answers: ((answer: Answer) => void)[];
beforeEach(async () => {
  sessionStorage.clear();
  answers = [];
  server = await startStubServer({ 'PUT /api/comments/:id/rating': () => new Promise<Answer>((resolve) => void answers.push(resolve)) });
});
afterEach(() => server.close());

const like = () => screen.getByRole('button', { name: /^Like/ });
const dislike = () => screen.getByRole('button', { name: 'Dislike' });
async function answerNext(nth: number, answer: Answer) {
  await waitFor(() => expect(answers.length).toBeGreaterThan(nth));
  answers[nth]?.(answer);
}

test('a rating is shown at once, and then as the server answered', async () => {
  openPanel([aComment('c1', { likes: ['bob'] })]);
  await userEvent.click(like());
  expect(like()).toHaveAccessibleName('Like, liked by 2 people');
  await answerNext(0, { json: { updatedComment: aComment('c1', { likes: ['bob', 'cleo', 'ana'], position: 61 }) } });
  await waitFor(() => expect(like()).toHaveAccessibleName('Like, liked by 3 people'));
});

test("when all ratings fail, the server's copy is shown again with one toast", async () => {
  openPanel([aComment('c1', { likes: ['bob'] })]);
  await userEvent.click(like());
  await userEvent.click(dislike());
  expect(like()).toHaveAccessibleName('Like, liked by 1 person');
  expect(dislike()).toHaveAttribute('aria-pressed', 'true');
  await answerNext(0, away);
  await answerNext(1, away);
  expect(await screen.findAllByText('You may not do this in this project.')).toHaveLength(1);
  await waitFor(() => expect(dislike()).toHaveAttribute('aria-pressed', 'false'));
  expect(like()).toHaveAttribute('aria-pressed', 'false');
  expect(like()).toHaveAccessibleName('Like, liked by 1 person');
});

test('a rating that failed is sent again by Retry', async () => {
  openPanel([aComment('c1')]);
  await userEvent.click(like());
  await answerNext(0, away);
  await userEvent.click(await screen.findByRole('button', { name: 'Retry' }));
  await answerNext(1, { json: { updatedComment: aComment('c1', { likes: ['ana'], position: 61 }) } });
  await waitFor(() => expect(like()).toHaveAccessibleName('Like, liked by 1 person'));
});
