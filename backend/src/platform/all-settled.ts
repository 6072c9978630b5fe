/** Starts all works at once and waits until every one has ended. Results are in order. @throws the first failure in that order */
export async function allSettled<Result>(works: readonly (() => Promise<Result>)[]): Promise<readonly Result[]> {
  const ended = await Promise.allSettled(works.map((work) => work()));
  return ended.map((each) => {
    if (each.status === 'rejected') throw each.reason;
    return each.value;
  });
}
