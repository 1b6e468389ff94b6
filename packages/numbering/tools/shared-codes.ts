/**
 * Calling codes that several countries share: the country that has most of the numbers, and the leading digits of the
 * others after the calling code. A test compares them with libphonenumber, whose look-up takes longer than a request may
 * wait for it.
 */
export const SHARED_CODES: Readonly<Record<string, SharedCode>> = {
  1: { most: 'US', others: { CA: '273 600 622 633' } },
  7: { most: 'RU', others: { KZ: '7' } },
  39: { most: 'IT', others: { VA: '06698' } },
  44: {
    most: 'GB',
    others: {
      GG: '1481 7781 7839 79111 79117',
      IM: '1624 74576 7524 7624',
      JE: '1534 7509 77003 77007 77008 7797 7829 7937',
    },
  },
  47: { most: 'NO', others: { SJ: '79' } },
  61: {
    most: 'AU',
    others: {
      CC: '851002 851031 851060 851089 851118 851176 851223 89162 891703',
      CX: '851001 851030 851059 851088 851117 851146 851175 851222 851235 89164 891958',
    },
  },
  262: { most: 'RE', others: { YT: '2689 269 639 70935 70936 70937 93980 93981 94780 94781 9769' } },
  290: { most: 'SH', others: { TA: '8' } },
  358: { most: 'FI', others: { AX: '18' } },
  // Western Sahara has numbers of Morocco, and its time. So do Saint Barthélemy and Saint Martin of Guadeloupe.
  212: { most: 'MA', others: {} },
  590: { most: 'GP', others: {} },
  599: { most: 'CW', others: { BQ: '3 4 7' } },
};

interface SharedCode {
  readonly most: string;
  readonly others: Readonly<Record<string, string>>;
}
