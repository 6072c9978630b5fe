// A large project to measure a page with.
import { aProject, reactorsDone, smallWav } from '../../faults/lib/studio.mjs';

const SECONDS = 300;
const AT_ONCE = 8;
const TAGS = ['performance', 'mix', 'style', 'arrangement', 'general'];

/** Runs the calls, eight at a time. */
async function each(count, call) {
  let next = 0;
  const take = async () => {
    while (next < count) await call((next += 1) - 1);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, take));
}

/**
 * A project of five minutes with many parts; `note` in characters.
 * @returns {Promise<string>} its id
 */
export async function largeProject(who, { regions = 0, comments = 0, todos = 0, note = 0 }) {
  const { projectId, versionId } = await aProject(who, { wav: smallWav(SECONDS) });
  await each(regions, (index) => {
    const start = (index / regions) * (SECONDS - 12);
    return who.must('POST', '/api/regions', {
      projectId,
      submission: { versionId, start, end: start + 2 + (index % 9), label: `Part ${index + 1}`, tag: TAGS[index % TAGS.length] },
    });
  });
  await each(comments, (index) =>
    who.must('POST', '/api/comments', { projectId, submission: { content: `${index + 1}: the doubles drag behind the beat, listen at the chorus.` } }),
  );
  await each(todos, (index) => who.must('POST', '/api/todos', { projectId, submission: { content: `${index + 1}: sing the doubles again` } }));
  if (note > 0) {
    const notes = { public: 'Voice in front, one room. '.repeat(Math.ceil(note / 26)).slice(0, note) };
    await who.must('PUT', `/api/projects/${projectId}`, { submission: { owner: { notes } } });
  }
  await reactorsDone(who);
  return projectId;
}
