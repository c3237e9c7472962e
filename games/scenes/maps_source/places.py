"""Where the boards' cities really are, and on which junction or hex each stands. Data of `reduce.py`, which explains it

Longitudes and latitudes are in degrees, to a tenth; a place that is no city of the game pins a corner of the coast to
the lattice, so that no part of the lattice swims. `weight` says how firmly a place holds (1: as a city).
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Place:
    name: str
    lon: float
    lat: float
    lattice: tuple[float, float]
    weight: float = 1.0


@dataclass(frozen=True)
class Sheet:
    """One board's map, for `games/rules/<game>/maps/<name>.json`. detail: of the world's coasts, "50m" or "10m".

    box: left, top, width, height on the lattice. window: west, south, east, north in degrees; the same for the places
    where borders are left undrawn. home: countries (ISO numbers) on whose land the game is played; none: on all.
    """

    game: str
    name: str
    detail: str
    box: tuple[float, float, float, float]
    window: tuple[float, float, float, float]
    parallels: tuple[float, float]
    meridian: float
    smoothing: float
    waters: str
    home: tuple[str, ...]
    states: bool
    undrawn: tuple[tuple[float, float, float, float], ...]
    places: list[Place]


def city(name: str, lon: float, lat: float, row: int, col: int, weight: float = 1.0) -> Place:
    return Place(name, lon, lat, (col - row / 2, row * 3**0.5 / 2), weight)


def hexed(name: str, lon: float, lat: float, q: int, r: int, weight: float = 1.0) -> Place:
    """A city on a flat-topped hex."""
    return Place(name, lon, lat, (q * 3**0.5 / 2, r + q / 2), weight)


AMERICA = Sheet(
    game="trans_america",
    name="america",
    detail="50m",
    box=(-2.3, -1.15, 19.6, 13.3),
    window=(-150, 10, -45, 60),
    parallels=(29.5, 45.5),
    meridian=-96,
    smoothing=0.003,
    waters="north-america_50m.json",
    home=("840",),
    states=True,
    undrawn=(),
    places=[
        city("Portland", -122.7, 45.5, 1, 0),
        city("Medford", -122.9, 42.3, 3, 1),
        city("Sacramento", -121.5, 38.6, 5, 2),
        city("San Francisco", -122.4, 37.8, 6, 2),
        city("Los Angeles", -118.3, 34.0, 9, 5),
        city("Seattle", -122.3, 47.6, 0, 0),
        city("San Diego", -117.1, 32.8, 10, 6),
        city("Helena", -112.0, 46.6, 1, 3),
        city("Bismarck", -100.8, 46.8, 1, 7),
        city("Minneapolis", -93.3, 45.0, 2, 10),
        city("Chicago", -87.7, 41.9, 3, 13),
        city("Cincinnati", -84.5, 39.1, 5, 15),
        city("Duluth", -92.1, 46.8, 1, 10),
        city("Buffalo", -78.9, 42.9, 2, 15),
        city("Salt Lake City", -111.9, 40.8, 4, 4),
        city("Omaha", -96.0, 41.3, 4, 9),
        city("St. Louis", -90.2, 38.6, 6, 13),
        city("Santa Fe", -105.9, 35.7, 8, 8),
        city("Oklahoma City", -97.5, 35.5, 8, 11),
        city("Denver", -105.0, 39.7, 5, 7),
        city("Kansas City", -94.6, 39.1, 6, 11),
        city("Phoenix", -112.1, 33.4, 9, 7),
        city("Memphis", -90.0, 35.1, 9, 15),
        city("Dallas", -96.8, 32.8, 10, 13),
        city("El Paso", -106.5, 31.8, 11, 10),
        city("New Orleans", -90.1, 30.0, 12, 16),
        city("Atlanta", -84.4, 33.8, 10, 17),
        city("Houston", -95.4, 29.8, 12, 14),
        city("New York", -74.0, 40.7, 4, 17),
        city("Washington", -77.0, 38.9, 5, 17),
        city("Winston", -80.2, 36.1, 8, 17),
        city("Charleston", -79.9, 32.8, 10, 19),
        city("Jacksonville", -81.7, 30.3, 12, 19),
        city("Boston", -71.1, 42.4, 2, 17),
        city("Richmond", -77.4, 37.5, 7, 18),
        Place("Miami", -80.2, 25.8, (14.0, 12.55), 0.3),
    ],
)


EUROPA = Sheet(
    game="trans_america",
    name="europa",
    detail="50m",
    box=(-4.2, -1.6, 20.6, 14.2),
    window=(-35, 22, 80, 74),
    parallels=(40, 58),
    meridian=14,
    smoothing=0.003,
    waters="europe_50m.json",
    home=(),
    states=False,
    undrawn=((32.5, 45.3, 36.0, 46.6),),
    places=[
        city("Amsterdam", 4.9, 52.4, 4, 5),
        city("Warsaw", 21.0, 52.2, 5, 11),
        city("Zurich", 8.5, 47.4, 8, 8),
        city("Vienna", 16.4, 48.2, 8, 10),
        city("Budapest", 19.0, 47.5, 8, 12),
        city("Berlin", 13.4, 52.5, 5, 8),
        city("Paris", 2.3, 48.9, 6, 5),
        city("Vilnius", 25.3, 54.7, 3, 11),
        city("Minsk", 27.6, 53.9, 4, 13),
        city("Kyiv", 30.5, 50.4, 6, 15),
        city("Odesa", 30.7, 46.5, 9, 17),
        city("Bucharest", 26.1, 44.4, 10, 16),
        city("Riga", 24.1, 56.9, 1, 10),
        city("Kharkiv", 36.2, 50.0, 7, 17),
        city("Glasgow", -4.3, 55.9, 0, 2),
        city("Oslo", 10.8, 59.9, 0, 5),
        city("Stockholm", 18.1, 59.3, 0, 7),
        city("St Petersburg", 30.3, 59.9, 0, 11),
        city("Moscow", 37.6, 55.8, 2, 14),
        city("Helsinki", 24.9, 60.2, 0, 9),
        city("Copenhagen", 12.6, 55.7, 2, 7),
        city("Marseille", 5.4, 43.3, 10, 7),
        city("Florence", 11.3, 43.8, 10, 9),
        city("Sofia", 23.3, 42.7, 11, 15),
        city("Rome", 12.5, 41.9, 12, 11),
        city("Tirana", 19.8, 41.3, 12, 13),
        city("Istanbul", 29.0, 41.0, 12, 17),
        city("Thessaloniki", 22.9, 40.6, 13, 16),
        city("Dublin", -6.3, 53.3, 2, 1),
        city("London", -0.1, 51.5, 3, 3),
        city("Plymouth", -4.1, 50.4, 4, 1),
        city("Bilbao", -2.9, 43.3, 8, 3),
        city("Madrid", -3.7, 40.4, 10, 3),
        city("Brest", -4.5, 48.4, 5, 1),
        city("Barcelona", 2.2, 41.4, 11, 6),
    ],
)

FRANCE = Sheet(
    game="paris_connection",
    name="france",
    detail="10m",
    box=(-8.75, -3.75, 15.65, 14.55),
    window=(-14, 36, 18, 56),
    parallels=(44, 49),
    meridian=2.5,
    smoothing=0.003,
    waters="europe_50m.json",
    home=("250",),
    states=False,
    undrawn=(),
    places=[
        hexed("Brest", -4.5, 48.4, -9, 5),
        hexed("Saint-Brieuc", -2.8, 48.5, -7, 4),
        hexed("Lorient", -3.4, 47.8, -7, 5),
        hexed("Cherbourg", -1.6, 49.6, -5, 1),
        hexed("Rennes", -1.7, 48.1, -5, 4),
        hexed("Nantes", -1.6, 47.2, -5, 5),
        hexed("Bayonne", -1.5, 43.5, -5, 11),
        hexed("Caen", -0.4, 49.2, -4, 1),
        hexed("Angers", -0.6, 47.5, -4, 4),
        hexed("La Rochelle", -1.2, 46.2, -4, 6),
        hexed("Bordeaux", -0.6, 44.8, -4, 8),
        hexed("Le Havre", 0.1, 49.5, -3, 1),
        hexed("Le Mans", 0.2, 48.0, -3, 3),
        hexed("Poitiers", 0.3, 46.6, -3, 5),
        hexed("Angoulême", 0.2, 45.6, -3, 7),
        hexed("Pau", -0.4, 43.3, -3, 10),
        hexed("Rouen", 1.1, 49.4, -2, 0),
        hexed("Tours", 0.7, 47.4, -2, 3),
        hexed("Orléans", 1.9, 47.9, -1, 2),
        hexed("Limoges", 1.3, 45.8, -1, 5),
        hexed("Brive", 1.5, 45.2, -1, 6),
        hexed("Toulouse", 1.4, 43.6, -1, 9),
        hexed("Calais", 1.9, 50.9, 0, -3),
        hexed("Amiens", 2.3, 49.9, 0, -2),
        hexed("Paris", 2.3, 48.9, 0, 0),
        hexed("Bourges", 2.4, 47.1, 0, 3),
        hexed("Rodez", 2.6, 44.4, 0, 7),
        hexed("Lille", 3.1, 50.6, 1, -3),
        hexed("Nevers", 3.2, 47.0, 1, 2),
        hexed("Clermont-Ferrand", 3.1, 45.8, 1, 4),
        hexed("Béziers", 3.2, 43.3, 1, 8),
        hexed("Perpignan", 2.9, 42.7, 1, 9),
        hexed("Reims", 4.0, 49.3, 2, -2),
        hexed("Troyes", 4.1, 48.3, 2, 0),
        hexed("Nîmes", 4.4, 43.8, 2, 7),
        hexed("Dijon", 5.0, 47.3, 3, 1),
        hexed("Lyon", 4.8, 45.8, 3, 3),
        hexed("Saint-Étienne", 4.4, 45.4, 3, 4),
        hexed("Valence", 4.9, 44.9, 3, 5),
        hexed("Avignon", 4.8, 43.9, 3, 6),
        hexed("Chambéry", 5.9, 45.6, 4, 3),
        hexed("Grenoble", 5.7, 45.2, 4, 4),
        hexed("Marseille", 5.4, 43.3, 4, 7),
        hexed("Metz", 6.2, 49.1, 5, -3),
        hexed("Nancy", 6.2, 48.7, 5, -2),
        hexed("Besançon", 6.0, 47.2, 5, 0),
        hexed("Toulon", 5.9, 43.1, 5, 7),
        hexed("Mulhouse", 7.3, 47.7, 6, -1),
        hexed("Nice", 7.3, 43.7, 6, 5),
        hexed("Strasbourg", 7.8, 48.6, 7, -3),
    ],
)

BOARDS = [AMERICA, EUROPA, FRANCE]
