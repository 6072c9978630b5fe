import { type ReactNode, Suspense } from 'react';
import type { LucideIcon } from 'lucide-react';
import { part } from './part';
import { loadMenu } from './surfaces';
import { useEver } from './use-ever';
import { OPENED, type Opener, type TriggerProps, useOpener } from './use-opener';

const MenuSurface = part(loadMenu, OPENED);

interface MenuItem {
  readonly id: string;
  readonly label: string;
  readonly icon?: LucideIcon;
  /** A second line under the label. */
  readonly note?: string;
}

/** An action. */
export interface MenuAct extends MenuItem {
  /** At the end of the row: a count, a key, 'not yet'. */
  readonly end?: ReactNode;
  readonly isDanger?: boolean;
  readonly isDisabled?: boolean;
  /** Opens nothing for this user: it shakes, and the menu stays open. */
  readonly isEmpty?: boolean;
  readonly onSelect: () => void;
}

/** A link to a file, which is saved unless it opens in a new tab. */
export interface MenuLink extends MenuItem {
  readonly href: string;
  readonly isNewTab?: boolean;
}

/** Options to tick, one or several; the menu stays open for several. */
export interface MenuChoices {
  readonly id: string;
  readonly label: string;
  readonly mode: 'one' | 'several';
  readonly options: readonly { readonly id: string; readonly label: string; readonly content?: ReactNode; readonly end?: ReactNode }[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: string[]) => void;
}

/** An entry; 'line' is a separator. */
export type MenuEntry = MenuAct | MenuLink | MenuChoices | 'line';

export interface MenuProps {
  readonly label: string;
  readonly trigger: (props: TriggerProps) => ReactNode;
  readonly entries: readonly MenuEntry[];
  /** Who or what the menu is about, above the entries. */
  readonly head?: ReactNode;
  readonly placement?: 'bottom start' | 'bottom end' | 'top start' | 'top end';
}

export interface MenuSurfaceProps extends Omit<MenuProps, 'trigger'> {
  readonly opener: Opener;
}

/** A button with a menu of actions: arrow keys, letters, Home and End move, Escape closes. */
export function Menu({ trigger, ...surface }: MenuProps) {
  const opener = useOpener({ kind: 'menu', load: loadMenu });
  const wanted = useEver(opener.isOpen);
  return (
    <>
      {trigger(opener.trigger)}
      {wanted && (
        <Suspense fallback={null}>
          <MenuSurface {...surface} opener={opener} />
        </Suspense>
      )}
    </>
  );
}
