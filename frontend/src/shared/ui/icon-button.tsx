import type { ButtonHTMLAttributes, MouseEvent, ReactNode, Ref } from 'react';
import type { LucideIcon } from 'lucide-react';
import './button.css';
import { classNames } from './class-names';
import { Icon, type IconProps } from './icon';
import { Tooltip } from './tooltip';
import { useDoubleClickGuard } from './use-double-click-guard';
import { useTooltip } from './use-tooltip';

type NativeButton = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled' | 'onClick' | 'children' | 'aria-label'>;

export interface IconButtonProps extends NativeButton {
  readonly ref?: Ref<HTMLButtonElement>;
  /** The accessible name, also shown as the tooltip. */
  readonly label: string;
  /** The key that does the same, shown in the tooltip only. */
  readonly keys?: string;
  readonly icon: LucideIcon;
  readonly iconSize?: IconProps['size'];
  readonly isFilled?: boolean;
  readonly size?: 's' | 'm';
  /** Makes it a toggle; a double click toggles it once. */
  readonly isPressed?: boolean;
  /** Amber when pressed: for what is playing right now. */
  readonly isSounding?: boolean;
  readonly isDisabled?: boolean;
  readonly onPress?: () => void;
  /** A count or a dot in the corner. */
  readonly children?: ReactNode;
}

/** A button with an icon only: it always has an accessible name and a tooltip. */
export function IconButton({
  ref,
  label,
  keys,
  icon,
  iconSize,
  isFilled,
  size = 'm',
  isPressed,
  isSounding,
  isDisabled,
  onPress,
  className,
  children,
  ...rest
}: IconButtonProps) {
  const tip = useTooltip(ref, rest);
  const isDoubleClick = useDoubleClickGuard();
  const press = (event: MouseEvent) => {
    const isToggledTwice = isDoubleClick(event) && isPressed !== undefined;
    if (!isToggledTwice) onPress?.();
  };
  return (
    <>
      <button
        type="button"
        {...rest}
        {...tip.trigger}
        className={classNames('ib', size === 's' && 's', isPressed && (isSounding ? 'on' : 'pressed'), className)}
        aria-label={label}
        aria-pressed={isPressed}
        disabled={isDisabled}
        onClick={press}
      >
        <Icon of={icon} size={iconSize ?? (size === 's' ? 16 : 18)} filled={isFilled} />
        {children}
      </button>
      <Tooltip tip={tip} keys={keys}>
        {label}
      </Tooltip>
    </>
  );
}
