import { useSiteLimits } from './site.queries';

/**
 * What happens to the files of something that is removed, as the operator set it; without the number while it is not known.
 * @param files the start of the sentence, such as 'The file is'
 */
export function useKeptFiles(files: string): string {
  const days = useSiteLimits()?.trashDays;
  if (days === undefined) return `${files} kept for a limited time.`;
  if (days === 0) return `${files} deleted at once.`;
  return `${files} kept for ${days === 1 ? '1 day' : `${days} days`}.`;
}
