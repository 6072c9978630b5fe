/** Cuts a list, in its order, into pieces of at most so many members and so much weight; what is heavier alone is a piece of its own. */
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
