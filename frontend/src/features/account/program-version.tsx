import { useQuery } from '@tanstack/react-query';
import { siteQuery } from '../../shared/site/site.queries';

/** Which program serves the page, for reports to the operator. */
export function ProgramVersion() {
  const { data } = useQuery(siteQuery);
  if (data === undefined) return null;
  const { version, commit } = data;
  return <p className="meta">{commit === null ? `Roughmix ${version}` : `Roughmix ${version} (${commit})`}</p>;
}
