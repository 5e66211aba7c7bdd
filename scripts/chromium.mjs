// Debian's Chromium: its path, and flags to run it without a window and without background requests.
export const CHROMIUM = '/usr/bin/chromium';
export const CHROMIUM_PACKAGE = { chromium: CHROMIUM };

export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];
