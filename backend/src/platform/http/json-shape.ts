import { LIMITS } from '@roughmix/contracts/shared/limits.js';

/**
 * Whether parsed JSON is small enough to be looked at more closely: at most {@link LIMITS.jsonDepth} levels, because deeper values could overflow the stack, and
 * at most {@link LIMITS.jsonMembers} members in all. Stops at the first one too many.
 */
export function isModest(value: unknown): boolean {
  let left: number = LIMITS.jsonMembers;
  const fits = (each: unknown, levels: number): boolean => {
    if (typeof each !== 'object' || each === null) return true;
    if (levels === 0) return false;
    // The length first: listing a million members takes time itself.
    if (Array.isArray(each)) return (left -= each.length) >= 0 && each.every((member) => fits(member, levels - 1));
    const members = Object.values(each);
    return (left -= members.length) >= 0 && members.every((member) => fits(member, levels - 1));
  };
  return fits(value, LIMITS.jsonDepth);
}
