/** The clocks by a sign each; Arizona's, Yukon's, Saskatchewan's and Hawaii's have no summer time. */
const CLOCKS: Readonly<Record<string, string>> = {
  N: 'America/St_Johns',
  A: 'America/Halifax',
  E: 'America/New_York',
  C: 'America/Chicago',
  S: 'America/Regina',
  M: 'America/Denver',
  Z: 'America/Phoenix',
  P: 'America/Los_Angeles',
  V: 'America/Vancouver',
  K: 'America/Anchorage',
  D: 'America/Adak',
  H: 'Pacific/Honolulu',
};

/**
 * The area codes of the United States and Canada: region, signs of its clocks, codes. By the lists of the numbering
 * plan's administrators and the maps of the time zones, not by the data that the package is made from.
 */
const DIVIDED = `
AL C 205 251 256 334 483 659 938
AK KD 907
AZ Z 480 520 602 623
AZ ZM 928
AR C 327 479 501 870
CA P 209 213 279 310 323 341 350 357 369 408 415 424 442 510 530 559 562 619 626 628 650 657 661 669 707 714 738
CA P 747 760 805 818 820 831 837 840 858 909 916 925 949 951
CO M 303 719 720 748 970 983
CT E 203 475 860 959
DC E 202 771
DE E 302
FL E 239 305 321 324 352 386 407 561 645 656 689 727 728 754 772 786 813 863 904 941 954
FL EC 448 850
GA E 229 404 470 478 678 706 762 770 912 943
HI H 808
IA C 319 515 563 641 712
ID MP 208 986
IL C 217 224 309 312 331 447 464 618 630 708 730 773 779 815 847 861 872
IN E 260 317 463 765
IN EC 219 574 812 930
KS C 316 913
KS CM 620 785
KY E 502 859
KY EC 270 364 606
LA C 225 318 337 504 985
MA E 339 351 413 508 617 774 781 857 978
MD E 227 240 301 410 443 667
ME E 207
MI E 231 248 269 313 517 586 616 679 734 810 947 989
MI EC 906
MN C 218 320 507 612 651 763 924 952
MO C 235 314 417 557 573 636 660 816 975
MS C 228 471 601 662 769
MT M 406
NC E 252 336 472 704 743 828 910 919 980 984
ND CM 701
NE C 402 531
NE CM 308
NH E 603
NJ E 201 551 609 640 732 848 856 862 908 973
NM M 505 575
NV P 702 725
NV PM 775
NY E 212 315 329 332 347 363 516 518 585 607 624 631 646 680 716 718 838 845 914 917 929 934
OH E 216 220 234 283 326 330 380 419 436 440 513 567 614 740 937
OK C 405 539 572 580 918
OR P 503 971
OR PM 458 541
PA E 215 223 267 272 412 445 484 570 582 610 717 724 814 835 878
RI E 401
SC E 803 821 839 843 854 864
SD CM 605
TN C 615 629 731 901 931
TN E 865
TN EC 423 729
TX C 210 214 254 281 325 346 361 409 430 432 469 512 621 682 713 726 737 806 817 830 832 903 936 940 945 956 972 979
TX M 915
UT M 385 435 801
VA E 276 434 540 571 686 703 757 804 826 948
VT E 802
WA P 206 253 360 425 509 564
WI C 262 274 353 414 534 608 715 920
WV E 304 681
WY M 307
CA-AB M 368 403 587 780 825
CA-BC VM 236 250 257 672 778
CA-BC V 604
CA-MB C 204 431 584
CA-NB A 428 506
CA-NL NA 709 879
CA-NS+PE A 782 902
CA-NT+NU+YT ECMZ 867
CA-ON E 226 249 289 343 365 382 416 437 519 548 613 647 683 705 742 753 905 942
CA-ON EC 807
CA-QC E 263 354 438 450 468 514 579 819 873
CA-QC EA 367 418 581
CA-SK S 306 474 639`;

/** The other countries and territories: country, zone, codes. */
const UNDIVIDED = `
AG America/Antigua 268
AI America/Anguilla 264
AS Pacific/Pago_Pago 684
BB America/Barbados 246
BM Atlantic/Bermuda 441
BS America/Nassau 242
DM America/Dominica 767
DO America/Santo_Domingo 809 829 849
GD America/Grenada 473
GU Pacific/Guam 671
JM America/Jamaica 658 876
KN America/St_Kitts 869
KY America/Cayman 345
LC America/St_Lucia 758
MP Pacific/Saipan 670
MS America/Montserrat 664
PR America/Puerto_Rico 787 939
SX America/Lower_Princes 721
TC America/Grand_Turk 649
TT America/Port_of_Spain 868
VC America/St_Vincent 784
VG America/Tortola 284
VI America/St_Thomas 340`;

interface ExpectedArea {
  readonly code: string;
  readonly country: string;
  readonly regions: readonly string[];
  /** Zones that keep the clocks of the area, whatever the names in the table. */
  readonly zones: readonly string[];
}

const TERRITORIES: readonly string[] = ['AS', 'GU', 'MP', 'PR', 'VI'];

export const AREAS: readonly ExpectedArea[] = [
  ...rowsOf(DIVIDED).flatMap(([region = '', signs = '', ...codes]) => {
    const country = region.startsWith('CA-') ? 'CA' : 'US';
    const regions = region
      .replace('CA-', '')
      .split('+')
      .map((name) => `${country}-${name}`);
    const zones = signs.split('').map((sign) => CLOCKS[sign] ?? '');
    return codes.map((code) => ({ code, country, regions, zones }));
  }),
  ...rowsOf(UNDIVIDED).flatMap(([country = '', zone = '', ...codes]) => {
    const regions = TERRITORIES.includes(country) ? [`US-${country}`] : [];
    return codes.map((code) => ({ code, country, regions, zones: [zone] }));
  }),
];

function rowsOf(text: string): readonly (readonly string[])[] {
  return text
    .trim()
    .split('\n')
    .map((line) => line.split(' '));
}
