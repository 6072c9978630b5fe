/** Splits a list, in order, into batches of at most `most` members and `weight` total weight. A member above the weight is a batch of its own. */
export function batchesOf<Member>(
  members: readonly Member[],
  { most, weight, weigh }: { readonly most: number; readonly weight: number; readonly weigh: (member: Member) => number },
): readonly (readonly Member[])[] {
  const batches: Member[][] = [];
  let carried = 0;
  for (const member of members) {
    const weighs = weigh(member);
    const last = batches.at(-1);
    if (last === undefined || last.length >= most || carried + weighs > weight) {
      batches.push([member]);
      carried = weighs;
    } else {
      last.push(member);
      carried += weighs;
    }
  }
  return batches;
}
