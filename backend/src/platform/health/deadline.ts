/** What was asked for did not come in time. */
export class Late extends Error {
  override readonly name = 'Late';
}

/** What a promise gives, if that is within the time (milliseconds). @throws Late, and what the promise throws */
export async function within<Value>(milliseconds: number, work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Late(`not within ${milliseconds} ms`)), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
