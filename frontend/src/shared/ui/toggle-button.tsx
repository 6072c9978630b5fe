import { Button, type ButtonProps } from './button';

export interface ToggleButtonProps extends Omit<ButtonProps, 'onPress' | 'onChange' | 'aria-pressed'> {
  readonly isSelected: boolean;
  readonly onChange: (isSelected: boolean) => void;
}

/** A button that stays pressed; ink on grey, because amber is kept for what is playing. */
export function ToggleButton({ isSelected, onChange, variant = 'quiet', ...rest }: ToggleButtonProps) {
  return <Button {...rest} variant={variant} aria-pressed={isSelected} onPress={() => onChange(!isSelected)} />;
}
