import { Icon } from '../ui/icons.js';
import { nextTheme, useTheme } from './theme.js';

const ICONS = { light: 'sun', dark: 'moon', system: 'half' } as const;

export function ThemeButton() {
  const theme = useTheme();
  const label = `Theme: ${theme}`;
  return (
    <button type="button" className="quiet h-8" aria-label={label} title={label} onClick={nextTheme}>
      <Icon name={ICONS[theme]} />
    </button>
  );
}
