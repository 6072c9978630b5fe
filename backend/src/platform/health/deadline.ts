/** An operation took longer than its deadline. */
export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded';
}

/** The result of a promise within some milliseconds. @throws DeadlineExceeded, and what the promise throws */
export async function within<Value>(milliseconds: number, work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new DeadlineExceeded(`not within ${milliseconds} ms`)), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
