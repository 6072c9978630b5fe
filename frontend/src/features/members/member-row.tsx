import { isolated } from '@roughmix/contracts/shared/visible-text.js';
import { fullName } from '@roughmix/contracts/users/user.view.js';
import { UserMinus } from 'lucide-react';
import { PersonLink } from '../../shared/people/person-link';
import { Avatar } from '../../shared/ui/avatar';
import { Badge } from '../../shared/ui/badge';
import { Button } from '../../shared/ui/button';
import { Checkbox } from '../../shared/ui/checkbox';
import { IconButton } from '../../shared/ui/icon-button';
import { Select } from '../../shared/ui/select';
import { isModified, type MemberRights, type MemberRow } from './member-rights';

const ROLES = [
  { id: 'viewer', label: 'Viewer' },
  { id: 'collaborator', label: 'Collaborator' },
] as const;

interface RowProps {
  readonly row: MemberRow;
  readonly onChange: (row: MemberRow) => void;
}

function Rights({ row, onChange, name }: RowProps & { readonly name: string }) {
  const { now } = row;
  const set = (change: Partial<MemberRights>) => onChange({ ...row, now: { ...now, ...change } });
  return (
    <>
      <Select
        label={`Role of ${name}`}
        hidesLabel
        size="s"
        options={ROLES}
        value={now.write ? 'collaborator' : 'viewer'}
        onChange={(role) => set({ write: role === 'collaborator' })}
      />
      <Checkbox
        label={<RightLabel word="comments" of={name} />}
        isSelected={now.write || now.comment}
        isDisabled={now.write}
        onChange={(comment) => set({ comment })}
      />
      <Checkbox
        label={<RightLabel word="downloads" of={name} />}
        isSelected={now.write || now.download}
        isDisabled={now.write}
        onChange={(download) => set({ download })}
      />
      <IconButton label={`Remove ${isolated(name)}`} icon={UserMinus} size="s" onPress={() => onChange({ ...row, isRemoved: true })} />
    </>
  );
}

const RightLabel = ({ word, of }: { readonly word: string; readonly of: string }) => (
  <span className="meta">
    {word}
    <span className="sr"> of {of}</span>
  </span>
);

/** A member's row for the owner, with controls. */
export function EditedMember({ row, onChange }: RowProps) {
  const name = fullName(row.person);
  return (
    <li className="urow" aria-label={name}>
      <Avatar name={name} photo={row.person.smallPhoto} size={32} isDecorative />
      <span className="cut who-is">
        {row.isRemoved ? <s>{name}</s> : isolated(name)} {!row.isRemoved && isModified(row) && <Badge tone="accent">Modified</Badge>}
      </span>
      {row.isRemoved ? (
        <>
          <Badge tone="danger">will be removed</Badge>
          <Button size="s" variant="quiet" className="undo-removal" onPress={() => onChange({ ...row, isRemoved: false })}>
            Undo
            <span className="sr"> removing {name}</span>
          </Button>
        </>
      ) : (
        <Rights row={row} onChange={onChange} name={name} />
      )}
    </li>
  );
}

/** A member's row for everyone else, read-only. */
export function ShownMember({ row }: { readonly row: MemberRow }) {
  const { person, was } = row;
  const may = [was.comment && 'comments', was.download && 'downloads'].filter(Boolean).join(', ');
  return (
    <li className="urow is-shown">
      <Avatar name={fullName(person)} photo={person.smallPhoto} size={32} isDecorative />
      <span className="cut who-is">
        <PersonLink person={person} />
      </span>
      <span className="meta">{may}</span>
      <span className="meta">{was.write ? 'Collaborator' : 'Viewer'}</span>
    </li>
  );
}
