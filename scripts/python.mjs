// Debian's Python: its path. The peers of test/peers/plain need its standard library only.
export const PYTHON = '/usr/bin/python3';
export const PYTHON_PACKAGE = { python3: PYTHON };
