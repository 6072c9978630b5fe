import { createRequire } from 'node:module';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';

const require = createRequire(import.meta.url);

/** Common passwords that the package lacks: recent years, local words, our own name. */
const ALSO_COMMON = `
0123456789 012345678 987654321 87654321 9876543210 0987654321 123123123 12341234 111111111 1111111111 22222222 33333333 44444444 55555555 66666666 77777777
88888888 888888888 99999999 999999999 00000000 000000000 0000000000 12121212 13131313 10101010 20202020 69696969 42424242 14141414 1qaz1qaz zaq1zaq1 qweqweqwe
qwerty1! qwertz123 qwertzui qwertzuiop asdasdasd zxcvzxcv zxczxczxc poiuytrewq lkjhgfdsa mnbvcxzlkjhgfdsapoiuytrewq abcabcabc abcdefgh abcdefghi aa12345678
aaa111111 aaaaaaaa aaaaaaaaaa a123123123 x1234567 password12345 password123456 password1! password123! password@1 password@123 password. password1. passw0rd!
passw0rd123 p@ssw0rd1 p@ssw0rd! p@ssw0rd123 p@ssword p@ssword1 p@ssword123 pa$$word pass12345 pass123456 passwort123 motdepasse1 contraseña parola123
wachtwoord1 haslo123 yourpassword mypass123 newpass123 oldpassword thispassword changeme123 changepassword letmein12 welcome1234 welcome2020 welcome2021
welcome2022 welcome2023 welcome2024 welcome2025 welcome! welcome1! welcome@123 admin1234 admin12345 admin123456 adminadmin admin@123 adminpass adminpassword
rootroot root1234 toor1234 test12345 test123456 tester123 testpassword default123 defaultpassword guest123 guestguest user1234 user12345 username1 demo1234
demodemo sample123 secretpassword topsecret1 accessdenied ironman123 pikachu123 minecraft1 playstation1 fortnite fortnite1 roblox123 iloveyou3 iloveu123
ilovemymom lovelove1 lovelyme loveme123 loveisblind truelove1 foreverlove mylove123 sweetheart1 sweety123 princess12 princess123 prince123 queen123 babygirl12
babygirl123 sunshine12 sunshine123 rainbow123 flower123 blossom1 strawberry1 chocolate123 peanut123 banana123 cherry123 orange123 baseball123 chelsea123
barcelona1 realmadrid1 manchesterunited juventus1 yankees123 redsox123 eagles123 computer123 internet123 samsung12 microsoft1 windows10 windowsxp linux123
googlegoogle facebook1 facebook123 myspace123 youtube1 youtube123 instagram twitter1 twitter123 whatsapp linkedin linkedin1 hotmail1 hotmail123 yahoo123
android1 security123 jessica123 jessica12 alexander123 alexander12 anthony123 brandon123 charlie12 christina1 gabriel123 hannah123 joseph123 lauren123
madison123 martin123 matthew123 matthew12 melissa123 patrick123 rebecca123 richard123 samantha123 steven123 vanessa123 victoria123 william123 mohamed1
dragonball1 mustang123 mercedesbenz bmw12345 harley123 harleydavidson ducati123 yamaha123 suzuki123 trustno12 whatever123 nothing123 fucker123 biteme123
hello12345 hello2you hellokitty1 christmas1 halloween1 september1 october123 august123 summer123 summer2020 summer2021 summer2022 summer2023 summer2024
summer2025 winter123 winter2020 winter2021 winter2022 winter2023 winter2024 winter2025 spring123 spring2021 spring2022 spring2023 spring2024 autumn2021
autumn2022 monday123 friday123 freedom123 freedom12 america123 england123 bundesliga brasil123 newyork123 newyorkcity pakistan123 canada123 jesus4ever
jesusloves ilovejesus1 christ123 angels123 angelofdeath lucky1234 happy1234 smiley123 friends123 bestfriends family123 familyfirst mother123 mickey123
minnie123 tinkerbell1 snoopy123 scooby123 spongebob1 simpsons1 barbie123 harrypotter1 lordoftherings ranger123 scorpion1 phoenix123 thunder123 volcano1
diamond123 silver123 golden123 crystal123 purple123 yellow123 nirvana123 linkinpark1 eminem123 rockyou1 rockyou123 musica123 mymusic1 guitar123 drums123
bassplayer fender123 gibson123 acdc1234 ironmaiden1 deathmetal hiphop123 rapper123 studio123 recording roughmix roughmix1 roughmix123 buddy1234 bailey123
tigger123 tigers123 lion1234 kittens1 puppies1 sparky123 marley123 saturn123 galaxy123 president1 einstein1 abcdefghij abcdefghijk 1g2w3e4r gwerty123
g_czechout xbox360a xxxxxxxx zzzzzzzz qqqqqqqq wwwwwwww ssssssss dddddddd mmmmmmmm a1a1a1a1 ww123456 woaini1314 woaini520 5201314520 52013140 wang1234
li123456 zhang123 qwe12345 q1q1q1q1 ytrewq123 motorola1 blackberry1 lenovo123 hewlettpackard oracle123 tiger1234 mysql123 postgres postgres1 letmein!
`;

let common: ReadonlySet<string> | undefined;

/** Loaded at first use: unpacking the list takes some 50 ms, which would delay the start. */
function load(): ReadonlySet<string> {
  const { dictionary } = require('@zxcvbn-ts/language-common') as typeof import('@zxcvbn-ts/language-common');
  return new Set([...dictionary['passwords-common'].filter((each) => each.length >= LIMITS.passwordMin), ...ALSO_COMMON.trim().split(/\s+/)]);
}

/** Common passwords of eight or more characters, in lower case. */
export const commonPasswords = (): ReadonlySet<string> => (common ??= load());
